// A run that doesn't end is the worst that an engine can do to its host: it is named, and ends the program.

#ifndef CERTIFICATES_WATCHDOG_HPP
#define CERTIFICATES_WATCHDOG_HPP

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace certificates {

class Watchdog {
  public:
    explicit Watchdog(const std::string &what) {
        std::snprintf(name(), SIZE, "%s has not ended after %u s\n", what.c_str(), SECONDS);
        std::signal(SIGALRM, bark);
        alarm(SECONDS);
    }
    ~Watchdog() {
        alarm(0);
    }
    Watchdog(const Watchdog &) = delete;
    Watchdog &operator=(const Watchdog &) = delete;

  private:
    static constexpr unsigned SECONDS = 60; // of a run that takes milliseconds
    static constexpr size_t SIZE = 200;

    static char *name() {
        static char text[SIZE];
        return text;
    }

    static void bark(int) {
        size_t length = 0;
        while (name()[length] != '\0')
            length++;
        const ssize_t written = write(STDERR_FILENO, name(), length);
        _exit(written < 0 ? 4 : 3);
    }
};

} // namespace certificates

#endif
