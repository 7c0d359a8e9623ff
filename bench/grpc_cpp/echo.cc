// The demo's EchoService and Greeter over gRPC's own C++.
//
//   grpc_cpp_echo serve [--heavy-computation-count N] [--rounds N]   prints "listening on 127.0.0.1:PORT"
//   grpc_cpp_echo press --server ADDR [--callers N] [--connections C] [--bytes B] [--duration S]
//
// The completion-queue interface on both sides, one thread per processor and two threads per queue: what gRPC's guide to
// performance names for many calls per second. Everything else is a default, except that messages may be long. The report
// has the fields of the other programs' reports. Built by `grpc_cpp/build`.
#include <grpcpp/grpcpp.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "example/echo.grpc.pb.h"
#include "helloworld.grpc.pb.h"

namespace {

using Options = std::map<std::string, std::string>;

double seconds_of(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

// Processors that this process was given.
int processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) ? 1 : std::max(1, CPU_COUNT(&set));
}

int queues() { return (processors() + 1) / 2; }

// What a completion queue hands back: told whether its operation went well.
class Event {
 public:
  virtual ~Event() = default;
  virtual void done(bool well) = 0;
};

void drain(grpc::CompletionQueue *queue) {
  void *event;
  bool well;
  while (queue->Next(&event, &well)) static_cast<Event *>(event)->done(well);
}

// Drains all queues, two threads on each.
template <typename Queues>
void drain_all(const Queues &queues) {
  std::vector<std::thread> threads;
  for (int n = 0; n < std::max<int>(processors(), queues.size()); n++)
    threads.emplace_back(drain, queues[n % queues.size()].get());
  for (auto &thread : threads) thread.join();
}

// One call that a server awaits, answers and then awaits again.
template <typename Request, typename Response>
class Served : public Event {
 public:
  using Await = std::function<void(grpc::ServerContext *, Request *, grpc::ServerAsyncResponseWriter<Response> *, void *)>;
  using Handle = std::function<void(const Request &, Response *)>;

  Served(Await await, Handle handle) : await_(std::move(await)), handle_(std::move(handle)) { begin(); }

  void done(bool well) override {
    if (answered_ || !well) return begin();
    answered_ = true;
    Response response;
    handle_(call_->request, &response);
    call_->writer.Finish(response, grpc::Status::OK, this);
  }

 private:
  struct Call {
    grpc::ServerContext context;
    Request request;
    grpc::ServerAsyncResponseWriter<Response> writer{&context};
  };

  void begin() {
    answered_ = false;
    call_ = std::make_unique<Call>();
    await_(&call_->context, &call_->request, &call_->writer, this);
  }

  Await await_;
  Handle handle_;
  std::unique_ptr<Call> call_;
  bool answered_ = false;
};

// The arithmetic of our own demo service, round for round.
uint64_t compute(uint64_t rounds) {
  uint64_t value = 0x9e3779b97f4a7c15;
  for (uint64_t round = 0; round < rounds; round++) {
    value *= 0x2545f4914f6cdd1d;
    value = ((value << 17) | (value >> 47)) ^ round;
    asm volatile("" : "+r"(value));
  }
  return value;
}

// Calls that are awaited at a time: more than any load has under way.
constexpr int kAwaited = 200;

int serve(const Options &options) {
  auto given = options.find("--heavy-computation-count");
  uint64_t rounds = given == options.end() ? 0 : strtoull(given->second.c_str(), nullptr, 10);
  // What Echo computes, for bench/src/bin/overload.
  auto of_echo = options.find("--rounds");
  uint64_t echo_rounds = of_echo == options.end() ? 0 : strtoull(of_echo->second.c_str(), nullptr, 10);
  example::EchoService::AsyncService echo;
  helloworld::Greeter::AsyncService greeter;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.SetMaxReceiveMessageSize(-1);
  builder.RegisterService(&echo);
  builder.RegisterService(&greeter);
  std::vector<std::unique_ptr<grpc::ServerCompletionQueue>> all;
  for (int n = 0; n < queues(); n++) all.push_back(builder.AddCompletionQueue());
  auto server = builder.BuildAndStart();
  if (!server) return 1;

  std::vector<std::unique_ptr<Event>> served;
  using Echo = Served<example::EchoRequest, example::EchoResponse>;
  using Hello = Served<helloworld::HelloRequest, helloworld::HelloReply>;
  for (auto &owned : all) {
    auto *queue = owned.get();
    for (int n = 0; n < kAwaited; n++) {
      served.push_back(std::make_unique<Echo>(
          [&echo, queue](auto *context, auto *request, auto *writer, void *event) {
            echo.RequestEcho(context, request, writer, queue, queue, event);
          },
          [echo_rounds](const auto &request, auto *response) {
            compute(echo_rounds);
            response->set_message(request.message());
          }));
      served.push_back(std::make_unique<Hello>(
          [&greeter, queue](auto *context, auto *request, auto *writer, void *event) {
            greeter.RequestSayHello(context, request, writer, queue, queue, event);
          },
          [rounds](const auto &request, auto *response) {
            compute(rounds);
            response->set_message("Hello " + request.name());
          }));
    }
  }
  printf("listening on 127.0.0.1:%d\n", port);
  fflush(stdout);
  drain_all(all);
  return 0;
}

// One caller: one call in flight until the end.
class Caller : public Event {
 public:
  Caller(std::shared_ptr<grpc::Channel> channel, grpc::CompletionQueue *queue, const std::string &message, double end)
      : stub_(example::EchoService::NewStub(channel)), queue_(queue), end_(end) {
    request_.set_message(message);
  }

  // False when the time is over.
  bool call() {
    sent_ = seconds_of(CLOCK_MONOTONIC);
    if (sent_ >= end_) return false;
    context_ = std::make_unique<grpc::ClientContext>();
    stub_->AsyncEcho(context_.get(), request_, queue_)->Finish(&response_, &status_, this);
    return true;
  }

  void done(bool) override {
    if (status_.ok())
      latencies.push_back(static_cast<uint32_t>((seconds_of(CLOCK_MONOTONIC) - sent_) * 1e7));
    else
      errors++;
    if (!call()) over();
  }

  // In units of 100 ns.
  std::vector<uint32_t> latencies;
  long errors = 0;
  // Called when this caller's time is over.
  std::function<void()> over;

 private:
  std::unique_ptr<example::EchoService::Stub> stub_;
  grpc::CompletionQueue *queue_;
  double end_, sent_ = 0;
  std::unique_ptr<grpc::ClientContext> context_;
  example::EchoRequest request_;
  example::EchoResponse response_;
  grpc::Status status_;
};

void report(const std::vector<std::unique_ptr<Caller>> &callers, size_t bytes, double took, double cpu) {
  std::vector<uint32_t> sorted;
  long errors = 0;
  double sum = 0;
  for (auto &caller : callers) {
    errors += caller->errors;
    sorted.insert(sorted.end(), caller->latencies.begin(), caller->latencies.end());
  }
  std::sort(sorted.begin(), sorted.end());
  for (auto latency : sorted) sum += latency;
  auto at = [&](double q) { return sorted.empty() ? 0.0 : sorted[size_t((sorted.size() - 1) * q)] / 10.0; };
  double calls = sorted.size(), some = std::max(calls, 1.0);
  printf("{\"calls\":%.0f,\"errors\":%ld,\"calls_per_s\":%.1f,\"bytes_per_s\":%.1f,\"min_us\":%.1f,\"avg_us\":%.1f,"
         "\"p50_us\":%.1f,\"p90_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f,\"max_us\":%.1f,\"cpu_us_per_call\":%.3f}\n",
         calls + errors, errors, calls / took, calls * bytes / took, at(0), sum / some / 10, at(0.5), at(0.9), at(0.99),
         at(0.999), at(1), cpu * 1e6 / some);
}

int press(const Options &options) {
  auto get = [&](const char *name, const char *otherwise) {
    auto found = options.find(name);
    return found == options.end() ? std::string(otherwise) : found->second;
  };
  int count = std::max(1, atoi(get("--callers", "1").c_str()));
  int connections = std::clamp(atoi(get("--connections", std::to_string(count).c_str()).c_str()), 1, count);
  size_t bytes = strtoul(get("--bytes", "100").c_str(), nullptr, 10);
  double seconds = atof(get("--duration", "2").c_str());

  std::vector<std::shared_ptr<grpc::Channel>> channels;
  for (int n = 0; n < connections; n++) {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    // Channels to one address would share their connection otherwise.
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    auto channel = grpc::CreateCustomChannel(get("--server", ""), grpc::InsecureChannelCredentials(), arguments);
    if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(5))) {
      fprintf(stderr, "grpc_cpp_echo: cannot connect\n");
      return 1;
    }
    channels.push_back(channel);
  }
  std::vector<std::unique_ptr<grpc::CompletionQueue>> all;
  for (int n = 0; n < queues(); n++) all.push_back(std::make_unique<grpc::CompletionQueue>());

  double began = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  std::vector<std::unique_ptr<Caller>> callers;
  std::atomic<int> calling{count};
  auto over = [&] {
    if (--calling == 0)
      for (auto &queue : all) queue->Shutdown();
  };
  std::string message(bytes, 'x');
  for (int n = 0; n < count; n++) {
    callers.push_back(
        std::make_unique<Caller>(channels[n % connections], all[n % all.size()].get(), message, began + seconds));
    callers.back()->over = over;
  }
  for (auto &caller : callers)
    if (!caller->call()) over();
  drain_all(all);
  report(callers, bytes, seconds_of(CLOCK_MONOTONIC) - began, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu);
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  std::string verb = argc > 1 ? argv[1] : "";
  Options options;
  for (int n = 2; n + 1 < argc; n += 2) options[argv[n]] = argv[n + 1];
  if (verb == "serve") return serve(options);
  if (verb == "press") return press(options);
  fprintf(stderr, "usage: grpc_cpp_echo serve | press --server ADDR ...\n");
  return 2;
}
