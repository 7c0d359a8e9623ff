// libzmq's REQ/REP echo, as its guide writes it.
//
//   zmq_echo serve                                             prints "listening on 127.0.0.1:PORT"
//   zmq_echo press ADDR CALLERS BYTES SECONDS                  one REQ socket, so one connection, per caller
//
// The report has the fields of the other programs' reports. Built by `zmq/build`.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zmq.h>

// Latencies kept per caller, in units of 100 ns; a ring, so the last ones count.
#define KEPT (1 << 20)

static void *context;
static const char *address;
static long bytes;
static double seconds;

struct caller {
  pthread_t thread;
  long calls;
  unsigned *latencies;
};

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static void fail(const char *what) {
  fprintf(stderr, "zmq_echo: %s: %s\n", what, zmq_strerror(zmq_errno()));
  exit(1);
}

static void serve(void) {
  void *socket = zmq_socket(context, ZMQ_REP);
  char endpoint[64];
  size_t length = sizeof endpoint;
  if (zmq_bind(socket, "tcp://127.0.0.1:*")) fail("bind");
  zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, endpoint, &length);
  printf("listening on %s\n", endpoint + strlen("tcp://"));
  fflush(stdout);
  for (;;) {
    zmq_msg_t message;
    zmq_msg_init(&message);
    if (zmq_msg_recv(&message, socket, 0) < 0 || zmq_msg_send(&message, socket, 0) < 0) fail("echo");
  }
}

static void *call(void *argument) {
  struct caller *self = argument;
  void *socket = zmq_socket(context, ZMQ_REQ);
  char endpoint[128];
  snprintf(endpoint, sizeof endpoint, "tcp://%s", address);
  if (zmq_connect(socket, endpoint)) fail("connect");
  char *out = calloc(1, bytes ? bytes : 1);
  double end = seconds_of(CLOCK_MONOTONIC) + seconds, sent;
  while ((sent = seconds_of(CLOCK_MONOTONIC)) < end) {
    zmq_msg_t reply;
    zmq_msg_init(&reply);
    if (zmq_send(socket, out, bytes, 0) < 0 || zmq_msg_recv(&reply, socket, 0) < 0) fail("call");
    zmq_msg_close(&reply);
    self->latencies[self->calls++ % KEPT] = (unsigned)((seconds_of(CLOCK_MONOTONIC) - sent) * 1e7);
  }
  zmq_close(socket);
  free(out);
  return 0;
}

static int ascending(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return x < y ? -1 : x > y;
}

static int press(int callers) {
  struct caller *all = calloc(callers, sizeof *all);
  double began = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < callers; i++) {
    all[i].latencies = malloc(KEPT * sizeof(unsigned));
    pthread_create(&all[i].thread, 0, call, &all[i]);
  }
  long calls = 0, kept = 0;
  for (int i = 0; i < callers; i++) {
    pthread_join(all[i].thread, 0);
    calls += all[i].calls;
    kept += all[i].calls < KEPT ? all[i].calls : KEPT;
  }
  double took = seconds_of(CLOCK_MONOTONIC) - began;
  cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  unsigned *sorted = malloc((kept + 1) * sizeof *sorted);
  long filled = 0;
  double sum = 0;
  for (int i = 0; i < callers; i++)
    for (long k = 0; k < all[i].calls && k < KEPT; k++) sum += sorted[filled++] = all[i].latencies[k];
  qsort(sorted, filled, sizeof *sorted, ascending);
#define AT(q) (filled ? sorted[(long)((filled - 1) * (q))] / 10.0 : 0.0)
  printf("{\"calls\":%ld,\"errors\":0,\"calls_per_s\":%.1f,\"bytes_per_s\":%.1f,\"min_us\":%.1f,\"avg_us\":%.1f,"
         "\"p50_us\":%.1f,\"p90_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f,\"max_us\":%.1f,\"cpu_us_per_call\":%.3f}\n",
         calls, calls / took, calls * (double)bytes / took, AT(0.0), filled ? sum / filled / 10 : 0.0, AT(0.5), AT(0.9), AT(0.99),
         AT(0.999), AT(1.0), calls ? cpu * 1e6 / calls : 0.0);
  return 0;
}

int main(int argc, char **argv) {
  context = zmq_ctx_new();
  if (argc == 2 && !strcmp(argv[1], "serve")) serve();
  if (argc == 6 && !strcmp(argv[1], "press")) {
    address = argv[2];
    bytes = atol(argv[4]);
    seconds = atof(argv[5]);
    return press(atoi(argv[3]));
  }
  fprintf(stderr, "usage: zmq_echo serve | zmq_echo press ADDR CALLERS BYTES SECONDS\n");
  return 2;
}
