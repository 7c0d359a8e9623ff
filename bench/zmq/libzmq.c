// libzmq's sockets under load, as its guide writes them: a thread for each socket of a client.
//
//   zmq_theirs serve [KIND BYTES]                         rep (the default), push or pub; says "listening on HOST:PORT"
//   zmq_theirs press ADDR SOCKETS BYTES SECONDS [KIND]    req (the default), pull or sub
//
// The report has the fields of the other programs' reports; for pull and sub a call is a message that came, and there are no
// latencies. Built by `zmq/build`.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

// Latencies kept per socket, in units of 100 ns; a ring, so the last ones count.
#define KEPT (1 << 20)

static void *context;
static const char *kind, *address;
static size_t bytes;
static double seconds;
static _Atomic long arrived;

struct socket {
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
  fprintf(stderr, "zmq_theirs: %s: %s\n", what, zmq_strerror(zmq_errno()));
  exit(1);
}

static void *bound(int type) {
  void *socket = zmq_socket(context, type);
  char endpoint[64];
  size_t length = sizeof endpoint;
  if (zmq_bind(socket, "tcp://127.0.0.1:*")) fail("bind");
  zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, endpoint, &length);
  printf("listening on %s\n", endpoint + strlen("tcp://"));
  fflush(stdout);
  return socket;
}

static void *connected(int type) {
  void *socket = zmq_socket(context, type);
  char endpoint[128];
  snprintf(endpoint, sizeof endpoint, "tcp://%s", address);
  if (type == ZMQ_SUB) zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "", 0);
  if (zmq_connect(socket, endpoint)) fail("connect");
  return socket;
}

static void echo(void) {
  void *socket = bound(ZMQ_REP);
  for (;;) {
    zmq_msg_t message;
    zmq_msg_init(&message);
    if (zmq_msg_recv(&message, socket, 0) < 0 || zmq_msg_send(&message, socket, 0) < 0) fail("echo");
  }
}

static void flood(int type) {
  void *socket = bound(type);
  char *body = calloc(1, bytes + 1);
  for (;;)
    if (zmq_send(socket, body, bytes, 0) < 0) fail("send");
}

static void *ask(void *argument) {
  struct socket *self = argument;
  void *socket = connected(ZMQ_REQ);
  char *body = calloc(1, bytes + 1);
  double end = seconds_of(CLOCK_MONOTONIC) + seconds, sent;
  self->latencies = malloc(KEPT * sizeof(unsigned));
  while ((sent = seconds_of(CLOCK_MONOTONIC)) < end) {
    zmq_msg_t reply;
    zmq_msg_init(&reply);
    if (zmq_send(socket, body, bytes, 0) < 0 || zmq_msg_recv(&reply, socket, 0) < 0) fail("call");
    zmq_msg_close(&reply);
    self->latencies[self->calls++ % KEPT] = (unsigned)((seconds_of(CLOCK_MONOTONIC) - sent) * 1e7);
  }
  zmq_close(socket);
  return 0;
}

static void *count(void *unused) {
  (void)unused;
  void *socket = connected(strcmp(kind, "pull") ? ZMQ_SUB : ZMQ_PULL);
  zmq_msg_t message;
  zmq_msg_init(&message);
  for (;;) {
    if (zmq_msg_recv(&message, socket, 0) < 0) fail("recv");
    if (zmq_msg_size(&message) != bytes) fail("size");
    atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
  }
}

static int ascending(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return x < y ? -1 : x > y;
}

// `sorted` holds `n` latencies, or none are told.
static void report(long calls, double took, double cpu, const unsigned *sorted, long n) {
  double sum = 0;
  for (long k = 0; k < n; k++) sum += sorted[k];
#define AT(q) (n ? sorted[(long)((n - 1) * (q))] / 10.0 : 0.0)
  printf("{\"calls\":%ld,\"errors\":0,\"calls_per_s\":%.1f,\"bytes_per_s\":%.1f,\"min_us\":%.1f,\"avg_us\":%.1f,"
         "\"p50_us\":%.1f,\"p90_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f,\"max_us\":%.1f,\"cpu_us_per_call\":%.3f}\n",
         calls, calls / took, calls * (double)bytes / took, AT(0.0), n ? sum / n / 10 : 0.0, AT(0.5), AT(0.9), AT(0.99),
         AT(0.999), AT(1.0), calls ? cpu * 1e6 / calls : 0.0);
}

static void press_calls(struct socket *all, int sockets) {
  double began = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < sockets; i++) pthread_create(&all[i].thread, 0, ask, &all[i]);
  long calls = 0, filled = 0;
  for (int i = 0; i < sockets; i++) {
    pthread_join(all[i].thread, 0);
    calls += all[i].calls;
  }
  double took = seconds_of(CLOCK_MONOTONIC) - began;
  cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  unsigned *sorted = malloc((calls + 1) * sizeof *sorted);
  for (int i = 0; i < sockets; i++)
    for (long k = 0; k < all[i].calls && k < KEPT; k++) sorted[filled++] = all[i].latencies[k];
  qsort(sorted, filled, sizeof *sorted, ascending);
  report(calls, took, cpu, sorted, filled);
}

// From the first message on.
static void press_stream(struct socket *all, int sockets) {
  for (int i = 0; i < sockets; i++) pthread_create(&all[i].thread, 0, count, 0);
  while (!atomic_load(&arrived)) usleep(1000);
  double began = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  long before = atomic_load(&arrived);
  usleep(seconds * 1e6);
  long came = atomic_load(&arrived) - before;
  report(came, seconds_of(CLOCK_MONOTONIC) - began, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu, 0, 0);
}

int main(int n, char **argument) {
  context = zmq_ctx_new();
  kind = n == 4 ? argument[2] : n == 7 ? argument[6] : "";
  if (n >= 2 && !strcmp(argument[1], "serve")) {
    bytes = n == 4 ? atol(argument[3]) : 0;
    if (!strcmp(kind, "push")) flood(ZMQ_PUSH);
    if (!strcmp(kind, "pub")) flood(ZMQ_PUB);
    echo();
  }
  if ((n == 6 || n == 7) && !strcmp(argument[1], "press")) {
    int sockets = atoi(argument[3]);
    struct socket *all = calloc(sockets, sizeof *all);
    address = argument[2];
    bytes = atol(argument[4]);
    seconds = atof(argument[5]);
    alarm(seconds + 10); // a load that hangs ends
    if (!strcmp(kind, "pull") || !strcmp(kind, "sub")) press_stream(all, sockets);
    else press_calls(all, sockets);
    fflush(stdout);
    _exit(0); // sockets that still receive would keep zmq_ctx_term waiting
  }
  fprintf(stderr, "usage: zmq_theirs serve [KIND BYTES] | zmq_theirs press ADDR SOCKETS BYTES SECONDS [KIND]\n");
  return 2;
}
