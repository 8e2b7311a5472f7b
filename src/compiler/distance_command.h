// zenofmu-compiler distance: how far two executions of a model are from each other.

#ifndef ZENOFMU_DISTANCE_COMMAND_H
#define ZENOFMU_DISTANCE_COMMAND_H

#define DISTANCE_USAGE                                                                                                 \
    "zenofmu-compiler distance MODEL.xml A.csv B.csv [--transitions N] [--set NAME=VALUE]... [--csv OUT.csv]\n"        \
    "                                [--schema XSD]\n"

typedef enum distance_outcome { DISTANCE_FOUND, DISTANCE_FAILED, DISTANCE_USAGE_WRONG } distance_outcome;

// `arguments` are those after the command's name. Prints the result; errors go to standard error.
distance_outcome distance_command(int count, char **arguments);

#endif
