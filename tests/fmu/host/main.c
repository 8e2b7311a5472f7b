// A host in C: loads the libraries of FMUs and puts them through plays that look for what crashes, leaks, races or
// gives other bits than it should. Built with sanitizers it finds what is undefined.

#include <stdio.h>
#include <string.h>

#include "host.h"

// ---- Another SUNDIALS, as some hosts carry one

#define FOREIGN(name)                                                                                                  \
    __attribute__((visibility("default"))) int name(void);                                                             \
    int name(void) {                                                                                                   \
        return check(false, "the FMU keeps to its own " #name);                                                        \
    }
FOREIGN(CVode)
FOREIGN(CVodeCreate)
FOREIGN(CVodeFree)
FOREIGN(N_VNew_Serial)
FOREIGN(SUNContext_Create)

// ---- The command

static const struct {
    const char *name, *argument;
    void (*act)(loaded_fmu *fmu, const char *argument);
} plays[] = {
    {"instances", "", play_instances},    // of any name, from anywhere, ended anyhow
    {"calls", "SEQUENCES", play_calls},   // random legal and illegal calls
    {"rollback", "PLAYS", play_rollback}, // random runs, repeated from saved states
    {"save", "FILE", play_save},          // states for another process
    {"resume", "FILE", play_resume},      // which goes on from them
    {"damage", "", play_damage},          // states with a changed byte, too short, too long
    {"memory", "RESETS", play_memory},    // that runs short, or should stay flat
    {"steps", "STEPS", play_steps},       // impossible ones and very many
    {"run", "STEP", play_run},            // a plain run: prints all values
};
enum { PLAYS = sizeof plays / sizeof *plays, MOST_FMUS = 32 };

static int usage(void) {
    fprintf(stderr, "usage: host PLAY LIBRARY DESCRIPTION [ARGUMENT], where PLAY and ARGUMENT are one of\n");
    for (int i = 0; i < PLAYS; i++)
        fprintf(stderr, "           %s %s\n", plays[i].name, plays[i].argument);
    fprintf(stderr, "       host threads LIBRARY DESCRIPTION [LIBRARY DESCRIPTION ...]\n");
    return 2;
}

static int host_threads(int count, char **files) {
    static loaded_fmu fmus[MOST_FMUS];
    if (count < 2 || count % 2 != 0 || count / 2 > MOST_FMUS) return usage();
    for (int i = 0; i < count / 2; i++)
        if (!load(&fmus[i], files[2 * i], files[2 * i + 1])) return verdict();
    play_threads(fmus, count / 2);
    return verdict();
}

int main(int count, char **arguments) {
    static loaded_fmu fmu;
    if (count >= 2 && strcmp(arguments[1], "threads") == 0) return host_threads(count - 2, arguments + 2);
    for (int i = 0; i < PLAYS && count >= 4; i++) {
        const int expected = plays[i].argument[0] ? 5 : 4;
        if (strcmp(arguments[1], plays[i].name) != 0 || count != expected) continue;
        if (load(&fmu, arguments[2], arguments[3])) plays[i].act(&fmu, count == 5 ? arguments[4] : NULL);
        return verdict();
    }
    return usage();
}
