// Faults in a run of the model compiler: memory that runs short, files that can't be written.
//
//     faults_compiler memory|files PLACES COMMAND ARGUMENT ...
//
// PLACES: 7 for every seventh place where the fault can be, =7 for the seventh alone. %F in an ARGUMENT is a temporary
// folder, which is emptied between the runs: what COMMAND writes must go there.

#define _XOPEN_SOURCE 700

#include <ftw.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "allocations.h"
#include "file_calls.h"
#include "trial.h"

int compiler_main(int count, char **arguments);

// The command line of the compiler, and where it writes.
enum { MOST_ARGUMENTS = 16, LONGEST_ARGUMENT = 4096 };
static char *command[MOST_ARGUMENTS];
static int command_length;
static char folder[] = "/tmp/zenofmu_faults_XXXXXX";

// A run that is ended by exit comes back here.
static jmp_buf after_exit;
static int exit_status;
_Noreturn void __wrap_exit(int status);

_Noreturn void __wrap_exit(int status) {
    exit_status = status;
    longjmp(after_exit, 1);
}

// What a run has done; files are told apart by name and content, in any order.
typedef struct result {
    int status;
    bool exited; // by exit: its memory is the system's to take
    bool injected;
    long allocations, file_calls;
    uint64_t output;  // what it has printed
    long complaints;  // bytes to standard error
    uint64_t written; // all files
    int files;
} result;

static result undisturbed;

// ---- What a run leaves behind

static uint64_t fold(uint64_t folded, FILE *file) {
    for (int c = getc(file); c != EOF; c = getc(file))
        folded = (folded ^ (uint64_t)c) * 1099511628211u;
    return folded;
}

static uint64_t fold_name(const char *name) {
    uint64_t folded = 14695981039346656037u;
    for (; *name; name++)
        folded = (folded ^ (uint64_t)(unsigned char)*name) * 1099511628211u;
    return folded;
}

static result *noted; // where note_file puts what it finds: nftw hands nothing through

static int note_file(const char *path, const struct stat *info, int kind, struct FTW *place) {
    (void)info, (void)place;
    FILE *file = kind == FTW_F ? fopen(path, "rb") : NULL;
    if (!file) return 0;
    noted->files++;
    noted->written += fold(fold_name(path), file);
    fclose(file);
    return 0;
}

static void note_files(result *r) {
    noted = r;
    nftw(folder, note_file, 16, FTW_PHYS);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place) {
    (void)info, (void)kind;
    return place->level > 0 ? remove(path) : 0;
}

static void empty_folder(void) {
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

// ---- A run

static FILE *stand_in[3]; // for standard output and error while the compiler runs

// Returns a descriptor of the real one.
static int redirect(int descriptor) {
    FILE *file = stand_in[descriptor];
    const int real = dup(descriptor);
    rewind(file);
    if (real < 0 || ftruncate(fileno(file), 0) != 0 || dup2(fileno(file), descriptor) < 0) abort();
    return real;
}

static void end_redirection(int descriptor, int real) {
    dup2(real, descriptor);
    close(real);
    rewind(stand_in[descriptor]);
}

static result compile(void) {
    fflush(NULL);
    const int output = redirect(STDOUT_FILENO), errors = redirect(STDERR_FILENO);
    result r = {0};
    if (setjmp(after_exit) == 0)
        r.status = compiler_main(command_length, command);
    else
        r.exited = true;
    if (r.exited) r.status = exit_status;
    r.injected = allocation_failed() || file_call_failed();
    r.allocations = allocations_made();
    r.file_calls = file_calls_made();
    allocations_watch(0, false);
    files_watch(0, false);
    fflush(stdout);
    end_redirection(STDOUT_FILENO, output);
    end_redirection(STDERR_FILENO, errors);
    r.output = fold(0, stand_in[STDOUT_FILENO]);
    fseek(stand_in[STDERR_FILENO], 0, SEEK_END);
    r.complaints = ftell(stand_in[STDERR_FILENO]);
    note_files(&r);
    return r;
}

// ---- With a fault

typedef struct fault {
    void (*watch)(long which, bool for_ever);
    long which;
    bool for_ever;
} fault;

static void compile_with(const void *arguments) {
    const fault *f = arguments;
    const long blocks = blocks_in_use();
    f->watch(f->which, f->for_ever);
    const result r = compile();
    if (!r.injected) trial_missed(); // libxml2 makes a few allocations more or less by chance
    check(r.status == 0 || r.status == 1, "the status is that of a success or of an error");
    if (r.status == 0) {
        check(r.output == undisturbed.output && r.written == undisturbed.written, "what is done is done well");
    } else {
        check(r.complaints > 0, "what fails says so");
        check(r.files == 0, "what fails leaves no file behind");
    }
    check(r.exited || blocks_in_use() == blocks, "all memory is given back");
}

static void fail_each(void (*watch)(long which, bool for_ever), long count, const places *where) {
    for (long which = where->first; which <= count; which += where->step)
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            trial(compile_with, &(fault){watch, which, for_ever}, "%s: %s %ld%s", command[1],
                  watch == files_watch ? "file call" : "allocation", which, for_ever ? " and all after" : "");
            empty_folder();
        }
}

// The first runs have things to do that no later one has.
static bool record(void) {
    long before;
    do {
        before = undisturbed.allocations;
        empty_folder();
        allocations_watch(0, false);
        files_watch(0, false);
        undisturbed = compile();
    } while (undisturbed.allocations != before);
    empty_folder();
    return check(undisturbed.status == 0, "the compiler succeeds without a fault");
}

static bool prepare(void) {
    static char buffer[1 << 16]; // so that standard output needs no memory
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    stand_in[STDOUT_FILENO] = tmpfile();
    stand_in[STDERR_FILENO] = tmpfile();
    return check(stand_in[STDOUT_FILENO] && stand_in[STDERR_FILENO] && mkdtemp(folder), "temporary files can be made");
}

static void add_argument(char *argument) {
    static char texts[MOST_ARGUMENTS][LONGEST_ARGUMENT];
    const char *mark = strstr(argument, "%F");
    char *text = texts[command_length];
    if (mark) snprintf(text, LONGEST_ARGUMENT, "%.*s%s%s", (int)(mark - argument), argument, folder, mark + 2);
    command[command_length++] = mark ? text : argument;
}

int main(int count, char **arguments) {
    places where;
    if (count < 4 || count - 2 > MOST_ARGUMENTS || !read_places(arguments[2], &where)) {
        fprintf(stderr, "usage: faults_compiler memory|files PLACES COMMAND ARGUMENT ...\n");
        return 2;
    }
    if (!prepare()) return 1;
    for (int i = 2; i < count; i++) // the place of the program's name, and what follows
        add_argument(arguments[i]);
    if (!record()) return 1;
    if (strcmp(arguments[1], "memory") == 0)
        fail_each(allocations_watch, undisturbed.allocations, &where);
    else
        fail_each(files_watch, undisturbed.file_calls, &where);
    rmdir(folder);
    return trials_verdict();
}
