// DoublePendulum by Siconos (Debian's libsiconos-kernel-dev), whose own C++ interface is used:
//
//     siconos time-stepping STEP
//     siconos event-driven TOLERANCE [EVENT_TOLERANCE]
//
// Time stepping is Moreau's and Jean's scheme with theta = 1/2, event-driven is LSODAR between impacts; both with LCPs
// solved by Lemke's algorithm. Prints time, theta1, theta2 at multiples of 1/8 up to 20, what Siconos says, and in the
// last line the nanoseconds of processor time.

#include <SiconosKernel.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "stopwatch.h"

static const double STOP = 20, SAMPLE = 0.125;
static const double m1 = 1, m2 = 1, L1 = 1, L2 = 1, g = 1, restitution = 0.5, degree = 3.14159265358979323846 / 180;

// ---- M a + b = 0, matrices by columns

static void mass(unsigned, double *q, double *M, unsigned, double *) {
    const double c2 = std::cos(q[1]);
    M[0] = m1 * L1 * L1 / 3 + m2 * (L1 * L1 + L2 * L2 / 3 + L1 * L2 * c2);
    M[1] = M[2] = m2 * (3 * L1 * L2 * c2 + 2 * L2 * L2) / 6;
    M[3] = m2 * L2 * L2 / 3;
}

static void forces(double, unsigned, double *q, double *v, double *b, unsigned, double *) {
    const double k = m2 * L1 * L2 * std::sin(q[1]) / 2, both = m2 * L2 * g * std::sin(q[0] + q[1]) / 2;
    b[0] = -k * (2 * v[0] + v[1]) * v[1] + (m1 / 2 + m2) * L1 * g * std::sin(q[0]) + both;
    b[1] = k * v[0] * v[0] + both;
}

static void forces_by_q(double, unsigned, double *q, double *v, double *D, unsigned, double *) {
    const double k = m2 * L1 * L2 * std::cos(q[1]) / 2, both = m2 * L2 * g * std::cos(q[0] + q[1]) / 2;
    D[0] = (m1 / 2 + m2) * L1 * g * std::cos(q[0]) + both;
    D[1] = both;
    D[2] = -k * (2 * v[0] + v[1]) * v[1] + both;
    D[3] = k * v[0] * v[0] + both;
}

static void forces_by_v(double, unsigned, double *q, double *v, double *D, unsigned, double *) {
    const double k = m2 * L1 * L2 * std::sin(q[1]) / 2;
    D[0] = -2 * k * v[1];
    D[1] = 2 * k * v[0];
    D[2] = -2 * k * (v[0] + v[1]);
    D[3] = 0;
}

static SP::LagrangianDS pendulum() {
    SP::SiconosVector q(new SiconosVector(2)), v(new SiconosVector(2));
    (*q)(0) = 30 * degree;
    (*q)(1) = 25 * degree;
    SP::LagrangianDS ds(new LagrangianDS(q, v));
    ds->setComputeMassFunction(mass);
    ds->setComputeFIntFunction(forces);
    ds->setComputeJacobianFIntqFunction(forces_by_q);
    ds->setComputeJacobianFIntqDotFunction(forces_by_v);
    return ds;
}

static SP::NonSmoothDynamicalSystem system_with_stop(SP::LagrangianDS ds) {
    SP::SimpleMatrix H(new SimpleMatrix(1, 2));
    (*H)(0, 1) = 1;
    SP::Relation stop(new LagrangianLinearTIR(H));
    SP::NonSmoothLaw law(new NewtonImpactNSL(restitution));
    SP::NonSmoothDynamicalSystem all(new NonSmoothDynamicalSystem(0, STOP));
    all->insertDynamicalSystem(ds);
    all->link(SP::Interaction(new Interaction(law, stop)), ds);
    return all;
}

// ---- The two schemes

static SP::Simulation time_stepping(SP::NonSmoothDynamicalSystem all, double step) {
    SP::TimeDiscretisation grid(new TimeDiscretisation(0, step));
    SP::OneStepIntegrator scheme(new MoreauJeanOSI(0.5));
    SP::OneStepNSProblem problem(new LCP());
    SP::TimeStepping simulation(new TimeStepping(all, grid, scheme, problem));
    simulation->setNewtonTolerance(1e-10);
    simulation->setNewtonMaxIteration(20);
    return simulation;
}

static SP::Simulation event_driven(SP::NonSmoothDynamicalSystem all, double tolerance, double event_tolerance) {
    SP::TimeDiscretisation grid(new TimeDiscretisation(0, SAMPLE));
    std::shared_ptr<LsodarOSI> scheme(new LsodarOSI());
    SP::EventDriven simulation(new EventDriven(all, grid));
    simulation->insertIntegrator(scheme);
    simulation->insertNonSmoothProblem(SP::OneStepNSProblem(new LCP()), SICONOS_OSNSP_ED_IMPACT);
    simulation->insertNonSmoothProblem(SP::OneStepNSProblem(new LCP()), SICONOS_OSNSP_ED_SMOOTH_ACC);
    simulation->initialize();
    scheme->setTol(1, tolerance, tolerance);
    if (event_tolerance > 0) simulation->setToleranceED(event_tolerance);
    return simulation;
}

static void print(double time, const LagrangianDS &ds) {
    std::printf("%.17g %.17g %.17g\n", time, ds.q()->getValue(0), ds.q()->getValue(1));
}

static bool is_sample(double time) {
    return std::fabs(time / SAMPLE - std::round(time / SAMPLE)) < 1e-6;
}

static void run(Simulation &simulation, const LagrangianDS &ds) {
    print(0, ds);
    while (simulation.hasNextEvent()) {
        simulation.advanceToEvent();
        simulation.processEvents();
        if (is_sample(simulation.startingTime())) print(simulation.startingTime(), ds);
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return EXIT_FAILURE;
    const double begin = seconds();
    const bool events = std::strcmp(argv[1], "event-driven") == 0;
    const double number = std::strtod(argv[2], nullptr);
    try {
        SP::LagrangianDS ds = pendulum();
        SP::NonSmoothDynamicalSystem all = system_with_stop(ds);
        SP::Simulation simulation = events ? event_driven(all, number, argc > 3 ? std::strtod(argv[3], nullptr) : 0)
                                           : time_stepping(all, number);
        run(*simulation, *ds);
    } catch (...) {
        std::fflush(stdout);
        Siconos::exception::process();
    }
    std::printf("%.0f\n", 1e9 * (seconds() - begin));
    return EXIT_SUCCESS;
}
