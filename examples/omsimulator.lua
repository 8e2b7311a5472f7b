-- The swinging leg in OMSimulator 2.1, the one that comes with OpenModelica: in the folder build/examples
--
--     OMSimulator ../../examples/omsimulator.lua
--
-- Not run here: OpenModelica can't be installed on the machine of this project. Written after OMSimulator's manual.
-- HipController.fmu is made by examples/compose.py; it needs a Python with its shared library.

oms_setTempDirectory("temp")
oms_newModel("SwingingLeg")
oms_addSystem("SwingingLeg.root", oms_system_wc)
oms_addSubModel("SwingingLeg.root.leg", "../fmus/DoublePendulum.fmu")
oms_addSubModel("SwingingLeg.root.controller", "HipController.fmu")

oms_addConnection("SwingingLeg.root.controller.torque", "SwingingLeg.root.leg.tau1")
oms_addConnection("SwingingLeg.root.leg.energy.kinetic", "SwingingLeg.root.controller.kinetic")
oms_addConnection("SwingingLeg.root.leg.energy.potential", "SwingingLeg.root.controller.potential")
oms_addConnection("SwingingLeg.root.leg.omega1", "SwingingLeg.root.controller.omega1")

oms_setResultFile("SwingingLeg", "SwingingLeg_omsimulator.csv")
oms_setStartTime("SwingingLeg", 0.0)
oms_setStopTime("SwingingLeg", 60.0)
oms_setFixedStepSize("SwingingLeg", 1/128)

oms_instantiate("SwingingLeg")
oms_initialize("SwingingLeg")
oms_simulate("SwingingLeg")
oms_terminate("SwingingLeg")
oms_delete("SwingingLeg")
