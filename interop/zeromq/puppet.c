/* A socket of libzmq, moved by lines; see README.md. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

static const struct { const char *name; int kind; } KINDS[] = {
    {"PAIR", ZMQ_PAIR}, {"PUB", ZMQ_PUB}, {"SUB", ZMQ_SUB}, {"REQ", ZMQ_REQ}, {"REP", ZMQ_REP}, {"DEALER", ZMQ_DEALER},
    {"ROUTER", ZMQ_ROUTER}, {"PULL", ZMQ_PULL}, {"PUSH", ZMQ_PUSH}, {"XPUB", ZMQ_XPUB}, {"XSUB", ZMQ_XSUB},
};

static void die(const char *what) {
    fprintf(stderr, "%s: %s\n", what, zmq_strerror(zmq_errno()));
    exit(1);
}

static void text(void *socket, int option, const char *value) {
    if (zmq_setsockopt(socket, option, value, strlen(value))) die("option");
}

static void number(void *socket, int option, int value) {
    if (zmq_setsockopt(socket, option, &value, sizeof value)) die("option");
}

static void configure(void *socket, char *setting) {
    char *value = strchr(setting, '=');
    if (!value) die("a setting is key=value");
    *value++ = 0;
    if (!strcmp(setting, "identity")) {
        text(socket, ZMQ_ROUTING_ID, value);
    } else if (!strcmp(setting, "heartbeat")) {
        number(socket, ZMQ_HEARTBEAT_IVL, atoi(value));
    } else if (!strcmp(setting, "plain-client")) {
        char *password = strchr(value, ':');
        *password++ = 0;
        text(socket, ZMQ_PLAIN_USERNAME, value);
        text(socket, ZMQ_PLAIN_PASSWORD, password);
    } else if (!strcmp(setting, "curve-server")) {
        number(socket, ZMQ_CURVE_SERVER, 1);
        text(socket, ZMQ_CURVE_SECRETKEY, value);
    } else if (!strcmp(setting, "curve-client")) {
        text(socket, ZMQ_CURVE_SERVERKEY, strtok(value, ","));
        text(socket, ZMQ_CURVE_PUBLICKEY, strtok(NULL, ","));
        text(socket, ZMQ_CURVE_SECRETKEY, strtok(NULL, ","));
    } else {
        die(setting);
    }
}

/* A frame into a buffer of its own. */
static unsigned char *unhex(const char *word, size_t *size) {
    if (*word == '*') {
        *size = strtoul(word + 1, NULL, 10);
        return memset(malloc(*size + 1), 'x', *size);
    }
    *size = *word == '-' ? 0 : strlen(word) / 2;
    unsigned char *frame = malloc(*size + 1);
    for (size_t i = 0; i < *size; i++) sscanf(word + 2 * i, "%2hhx", &frame[i]);
    return frame;
}

static void show(const unsigned char *frame, size_t size) {
    size_t i = 0;
    while (i < size && frame[i] == 'x') i++;
    if (size == 0) printf(" -");
    else if (size > 64 && i == size) printf(" *%zu", size);
    else for (printf(" "), i = 0; i < size; i++) printf("%02x", frame[i]);
}

static int send_frames(void *socket) {
    for (char *word = strtok(NULL, " \n"), *next; word; word = next) {
        size_t size;
        unsigned char *frame = unhex(word, &size);
        next = strtok(NULL, " \n");
        int sent = zmq_send(socket, frame, size, next ? ZMQ_SNDMORE : 0);
        free(frame);
        if (sent < 0) return -1;
    }
    puts("ok");
    return 0;
}

static int receive_frames(void *socket) {
    for (int more = 1, first = 1; more; first = 0) {
        zmq_msg_t frame;
        zmq_msg_init(&frame);
        if (zmq_msg_recv(&frame, socket, 0) < 0) return -1;
        if (first) printf("frames");
        show(zmq_msg_data(&frame), zmq_msg_size(&frame));
        more = zmq_msg_more(&frame);
        zmq_msg_close(&frame);
    }
    puts("");
    return 0;
}

static int subscribe(void *socket, int option) {
    size_t size;
    unsigned char *topic = unhex(strtok(NULL, " \n"), &size);
    int done = zmq_setsockopt(socket, option, topic, size);
    free(topic);
    if (!done) puts("ok");
    return done;
}

int main(int count, char **arguments) {
    if (count < 4) return 2;
    void *context = zmq_ctx_new(), *socket = NULL;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (!strcmp(arguments[1], KINDS[i].name)) socket = zmq_socket(context, KINDS[i].kind);
    if (!socket) die("kind");
    number(socket, ZMQ_RCVTIMEO, 10000);
    number(socket, ZMQ_SNDTIMEO, 10000);
    number(socket, ZMQ_LINGER, 1000);
    for (int i = 4; i < count; i++) configure(socket, arguments[i]);
    char address[256];
    size_t length = sizeof address;
    snprintf(address, sizeof address, "%s", arguments[3]);
    if (!strcmp(arguments[2], "bind")) {
        if (zmq_bind(socket, address)) die("bind");
        zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, address, &length);
    } else if (zmq_connect(socket, address)) {
        die("connect");
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("ready %s\n", address);
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        char *word = strtok(line, " \n");
        int done = -1;
        if (word && !strcmp(word, "send")) done = send_frames(socket);
        else if (word && !strcmp(word, "recv")) done = receive_frames(socket);
        else if (word && !strcmp(word, "subscribe")) done = subscribe(socket, ZMQ_SUBSCRIBE);
        else if (word && !strcmp(word, "unsubscribe")) done = subscribe(socket, ZMQ_UNSUBSCRIBE);
        if (done) printf("error %s\n", zmq_strerror(zmq_errno()));
    }
    zmq_close(socket);
    zmq_ctx_term(context);
    return 0;
}
