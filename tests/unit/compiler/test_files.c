// Files are complete or absent.

#define _POSIX_C_SOURCE 200809L

#include "files.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_SIZE = 200 };

static text hello = {.data = "hello\n", .length = 6};

static int count_entries(const char *folder) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    while (readdir(directory))
        count++;
    closedir(directory);
    return count - 2; // . and ..
}

static void assert_content(const char *folder, const char *name, const char *expected) {
    char path[PATH_SIZE], content[100] = "";
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    content[fread(content, 1, sizeof content - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(content, expected);
    assert_int_equal(unlink(path), 0);
}

static void files_and_their_folders_are_made(void **state) {
    (void)state;
    char base[] = "/tmp/zenofmu_files_XXXXXX", folder[PATH_SIZE], inner[PATH_SIZE + 10];
    assert_non_null(mkdtemp(base));
    snprintf(folder, sizeof folder, "%s/new", base);
    snprintf(inner, sizeof inner, "%s/inner", folder);
    const output_file files[] = {{"a.txt", &hello}, {"inner/b.txt", &hello}};
    diagnostics d = {.file = "m.xml"};
    assert_true(files_save(folder, files, 2, &d));
    assert_true(files_save(folder, files, 2, &d)); // again, over what is there
    assert_int_equal(count_entries(folder), 2);
    assert_content(folder, "a.txt", "hello\n");
    assert_content(folder, "inner/b.txt", "hello\n");
    assert_int_equal(rmdir(inner), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(rmdir(base), 0);
}

static void nothing_is_left_behind_when_one_file_can_not_be_written(void **state) {
    (void)state;
    char folder[] = "/tmp/zenofmu_files_XXXXXX", message[300] = "", expected[300], obstacle[PATH_SIZE];
    assert_non_null(mkdtemp(folder));
    snprintf(obstacle, sizeof obstacle, "%s/inner", folder);
    FILE *file = fopen(obstacle, "wb"); // a file where a folder is needed
    fclose(file);
    const output_file files[] = {{"a.txt", &hello}, {"inner/b.txt", &hello}};
    diagnostics d = {.file = "m.xml", .stream = fmemopen(message, sizeof message, "w")};
    assert_false(files_save(folder, files, 2, &d));
    fclose(d.stream);
    snprintf(expected, sizeof expected, "m.xml: '%s/inner/b.txt' can't be written: Not a directory\n", folder);
    assert_string_equal(message, expected);
    assert_int_equal(d.errors, 1);
    assert_int_equal(count_entries(folder), 1);
    assert_int_equal(unlink(obstacle), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void nothing_is_left_behind_when_one_file_can_not_be_put_in_place(void **state) {
    (void)state;
    char folder[] = "/tmp/zenofmu_files_XXXXXX", obstacle[PATH_SIZE];
    assert_non_null(mkdtemp(folder));
    snprintf(obstacle, sizeof obstacle, "%s/b.txt", folder);
    assert_int_equal(mkdir(obstacle, 0777), 0); // a folder where a file is to be
    const output_file files[] = {{"a.txt", &hello}, {"b.txt", &hello}};
    char message[300] = "";
    diagnostics d = {.file = "m.xml", .stream = fmemopen(message, sizeof message, "w")};
    assert_false(files_save(folder, files, 2, &d));
    fclose(d.stream);
    assert_non_null(strstr(message, "b.txt' can't be written: Is a directory"));
    assert_int_equal(count_entries(folder), 1);
    assert_int_equal(rmdir(obstacle), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_and_their_folders_are_made),
        cmocka_unit_test(nothing_is_left_behind_when_one_file_can_not_be_written),
        cmocka_unit_test(nothing_is_left_behind_when_one_file_can_not_be_put_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
