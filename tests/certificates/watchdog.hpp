// A run that doesn't end is the worst that an engine can do to its host: it is named, and ends the program.

#ifndef CERTIFICATES_WATCHDOG_HPP
#define CERTIFICATES_WATCHDOG_HPP

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

namespace certificates {

class Watchdog {
  public:
    // Watches over the scope that it is made in.
    explicit Watchdog(std::string what) : name(std::move(what)), watcher(&Watchdog::watch, this) {
    }
    ~Watchdog() {
        {
            const std::lock_guard<std::mutex> lock(mutex);
            ended = true;
        }
        changed.notify_one();
        watcher.join();
    }
    Watchdog(const Watchdog &) = delete;
    Watchdog &operator=(const Watchdog &) = delete;

  private:
    static constexpr int SECONDS = 120; // for what takes milliseconds

    const std::string name;
    std::mutex mutex;
    std::condition_variable changed;
    bool ended = false;
    std::thread watcher; // the last member: it uses the others

    void watch() {
        std::unique_lock<std::mutex> lock(mutex);
        if (changed.wait_for(lock, std::chrono::seconds(SECONDS), [this] { return ended; })) return;
        std::fprintf(stderr, "%s has not ended after %d s\n", name.c_str(), SECONDS);
        std::_Exit(3);
    }
};

} // namespace certificates

#endif
