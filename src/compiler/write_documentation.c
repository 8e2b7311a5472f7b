// Writes documentation/index.html: one page that needs no other file.

#include <math.h>
#include <string.h>

#include "write.h"

static const char STYLE[] =
    "body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }\n"
    "h1 { margin-bottom: 0; }\n"
    "h2 { margin-top: 2rem; border-bottom: 1px solid #ccc; }\n"
    "pre { background: #f6f6f4; border: 1px solid #ddd; border-radius: 4px; padding: 0.8rem; overflow-x: auto; }\n"
    "code, pre { font: 14px/1.5 ui-monospace, monospace; }\n"
    "table { border-collapse: collapse; width: 100%; }\n"
    "th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #e4e4e0; }\n"
    "th { border-bottom: 2px solid #999; }\n"
    "td.number { white-space: nowrap; }\n";

// What every such FMU does; the settings' own rows stand in the table above it.
static const char EXPLANATION[] =
    "<h2>Impacts, Zeno points and truncation</h2>\n"
    "<p>Between impacts the motion is free. When the gap closes, the rates jump by the frictionless impact law with the\n"
    "coefficient of restitution. A cascade of ever shorter flights would take infinitely many impacts in a finite time: its\n"
    "limit is a <em>Zeno point</em>. The FMU ends the cascade at the first impact from which it can bound what the rest would\n"
    "change: the error of the coordinates by <code>truncation.epsilon_q</code>, of the rates by\n"
    "<code>truncation.epsilon_v</code>, of the Zeno time by <code>truncation.epsilon_t</code>. Smaller values let more impacts\n"
    "happen. From there on the contact is closed and the motion stays on the constraint until the contact force vanishes;\n"
    "then it is released.</p>\n"
    "<p><code>truncation.reinitialization</code> chooses how the rates are put onto the constraint: <code>kinetic</code>, along\n"
    "the impulses that are left out, or <code>orthogonal</code>, the Euclidean projection. With\n"
    "<code>relaxation.epsilon</code> above 0 each impact takes that time, during which the state is held.\n"
    "<code>solver.tolerance</code> overrides the host's tolerance when it is above 0.</p>\n"
    "<p>Norms are Euclidean in the model's coordinates and rates. Times of what has not happened yet read 0; the counters\n"
    "tell. Method: Y. Or and A. D. Ames, <cite>Stability and Completion of Zeno Equilibria in Lagrangian Hybrid\n"
    "Systems</cite>, IEEE Transactions on Automatic Control (cited as TAC).</p>\n";

static const char EXPLANATION_OF_MODES[] =
    "<h2>Modes and transitions</h2>\n"
    "<p>In a mode the states follow its differential equations, and held variables keep their values. A transition is taken\n"
    "where its guard crosses 0 in the given direction, if its condition holds; all its resets use the values before it. A\n"
    "guard that is 0 and on its way through when a mode begins is due at once; one that lies beyond 0 then has to come back\n"
    "first. Transitions that are due at the same time are taken one after another and counted one each. An update only sets\n"
    "held variables: the mode goes on, and it is not counted. <code>mode</code> counts the modes from 0 in the order above; an\n"
    "output that a mode doesn't define reads 0 there.</p>\n"
    "<p>A mode that is left again and again after ever shorter times would take infinitely many transitions in a finite\n"
    "time. The FMU then lets it last a little at least, and the log says so. With <code>relaxation.epsilon</code> above 0 each\n"
    "transition takes that time, during which the state is held. <code>solver.tolerance</code> overrides the host's tolerance\n"
    "when it is above 0.</p>\n"
    "<p>Times of what has not happened yet read 0; the counters tell. Method: S. A. Burden, H. Gonzalez, R. Vasudevan, R.\n"
    "Bajcsy and S. S. Sastry, <cite>Metrization and Simulation of Controlled Hybrid Systems</cite>, IEEE Transactions on\n"
    "Automatic Control (cited as Burden).</p>\n";

static const char LICENCE[] =
    "<h2>Licence</h2>\n"
    "<p>The engine in this FMU is part of zenofmu (BSD 3-Clause); it contains SUNDIALS CVODE (BSD 3-Clause). The texts are in\n"
    "<code>documentation/licenses</code>. The model itself belongs to its author.</p>\n";

static void append_escaped(const char *source, text *out) {
    for (const char *c = source; *c != '\0'; c++) {
        if (*c == '&')
            text_append(out, "&amp;");
        else if (*c == '<')
            text_append(out, "&lt;");
        else if (*c == '>')
            text_append(out, "&gt;");
        else
            text_append(out, "%c", *c);
    }
}

static void append_cell(const char *before, const char *content, const char *after, text *out) {
    text_append(out, "%s", before);
    append_escaped(content, out);
    text_append(out, "%s", after);
}

static void append_head(const model_file *model, text *out) {
    text_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    append_cell("<title>", model->name, "</title>\n", out);
    text_append(out, "<style>\n%s</style>\n</head>\n<body>\n", STYLE);
    append_cell("<h1>", model->name, "</h1>\n", out);
    append_cell("<p>", model->description, "</p>\n", out);
}

// Equations of many links fill more than a page: then the page says where to find them.
enum { LONGEST_EQUATIONS = 1 << 16 };

static void append_equations(const model_file *model, const model_equations *equations, text *out) {
    text written = {0};
    write_equations(model, equations, &written);
    out->failed |= written.failed;
    text_append(
        out, "<h2>Equations</h2>\n%s",
        model->kind == MODEL_HYBRID
            ? "<p>What holds in each mode, and where it is left.</p>\n"
            : "<p>Kinetic energy T, potential energy V, gap h &#8805; 0; mass matrix M, free forces b, gradient J "
              "of h,\naccelerations a, contact force lambda &#8805; 0.</p>\n");
    if (written.length > LONGEST_EQUATIONS)
        text_append(out,
                    "<p>They are too long for this page: <code>zenofmu check --equations</code> prints them.</p>\n");
    else
        append_cell("<pre>", written.data ? written.data : "", "</pre>\n", out);
    text_free(&written);
}

// ---- modes

typedef void (*transition_writer)(const model_file *model, const model_transition *t, text *out);

static void append_code(const model_file *model, const model_transition *t, transition_writer write, text *out) {
    text written = {0};
    write(model, t, &written);
    out->failed |= written.failed;
    append_cell("<td><code>", written.data ? written.data : "", "</code></td>", out);
    text_free(&written);
}

static void append_transitions(const model_file *model, text *out) {
    text_append(out, "<h2>Modes</h2>\n<ol start=\"0\">\n");
    for (int i = 0; i < model->mode_count; i++) {
        append_cell("<li><code>", model->modes[i].about.name, "</code>", out);
        append_cell(" ", model->modes[i].about.description, i == model->initial_mode ? " (initial)</li>\n" : "</li>\n",
                    out);
    }
    text_append(out, "</ol>\n<table>\n<tr><th>from</th><th>to</th><th>where</th><th>if</th><th>resets</th>"
                     "<th>meaning</th></tr>\n");
    for (int i = 0; i < model->mode_count; i++) {
        const model_mode *mode = &model->modes[i];
        for (int k = 0; k < mode->transition_count; k++) {
            const model_transition *t = &mode->transitions[k];
            append_cell("<tr><td><code>", mode->about.name, "</code></td>", out);
            append_cell(t->update ? "<td>update of <code>" : "<td><code>", model->modes[t->to].about.name,
                        "</code></td>", out);
            append_code(model, t, write_guard, out);
            append_cell("<td><code>", t->when_text, "</code></td>", out);
            append_code(model, t, write_transition_resets, out);
            append_cell("<td>", t->description, "</td></tr>\n", out);
        }
    }
    text_append(out, "</table>\n");
}

// ---- variables

static void append_choices(const fmi_enumeration *type, text *out) {
    for (int i = 0; i < type->count; i++) {
        text_append(out, "%s%d ", i > 0 ? ", " : "", i + 1);
        append_cell("<code>", type->choices[i].name, "</code>", out);
    }
}

static void append_range(const fmi_variable *row, text *out) {
    if (row->enumeration) {
        append_choices(row->enumeration, out);
        return;
    }
    const bool above = isfinite(row->min), below = isfinite(row->max);
    if (above) {
        text_append(out, row->min_excluded ? "&gt; " : "&#8805; ");
        text_append_double(out, row->min);
    }
    if (below) {
        text_append(out, "%s%s", above ? ", " : "", row->max_excluded ? "&lt; " : "&#8804; ");
        text_append_double(out, row->max);
    }
}

static void append_variable(const fmi_variable *row, text *out) {
    append_cell("<tr><td><code>", row->name, "</code></td>", out);
    append_cell("<td>", row->description, "</td>", out);
    append_cell("<td>", row->unit, "</td><td class=\"number\">", out);
    if (row->has_start) text_append_double(out, row->start);
    text_append(out, "</td><td class=\"number\">");
    append_range(row, out);
    text_append(out, "</td><td>%s</td></tr>\n", row->variability);
}

static void append_variables(const variable_table *variables, const char *causality, const char *title, text *out) {
    text_append(out,
                "<h2>%s</h2>\n<table>\n<tr><th>name</th><th>meaning</th><th>unit</th><th>start</th><th>range</th>"
                "<th>variability</th></tr>\n",
                title);
    for (int i = 0; i < variables->count; i++)
        if (strcmp(variables->rows[i].causality, causality) == 0) append_variable(&variables->rows[i], out);
    text_append(out, "</table>\n");
}

void write_documentation(const model_file *model, const model_equations *equations, const variable_table *variables,
                         text *out) {
    const bool modes = model->kind == MODEL_HYBRID;
    append_head(model, out);
    if (modes) append_transitions(model, out);
    append_equations(model, equations, out);
    append_variables(variables, "parameter", "Parameters", out);
    if (model->input_count > 0) append_variables(variables, "input", "Inputs", out);
    append_variables(variables, "output", "Outputs", out);
    text_append(out, "%s%s</body>\n</html>\n", modes ? EXPLANATION_OF_MODES : EXPLANATION, LICENCE);
}
