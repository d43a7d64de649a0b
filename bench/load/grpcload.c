/* A closed-loop gRPC load generator over cleartext HTTP/2 on loopback: cheap enough that the
 * server, not the client, sets the pace.
 *
 *   grpcload -p PORT -b BODIES -m /package.Service/Method [-m ...] [-H name:value ...]
 *            [-c connections] [-s streams per connection] [-t seconds] [-o]
 *
 * Every stream of every connection is a slot that has one call in flight: the next one is sent
 * when the one before was answered. What it sends comes from BODIES, a file of scripts (all
 * numbers are 4 bytes, big-endian):
 *
 *   file   = script ...
 *   script = number of calls, call ...
 *   call   = index of the method among the -m options, then the request as gRPC frames it:
 *            a zero byte, the length, the bytes
 *
 * A slot plays its own script again and again or, with -o, each script is played once: a slot
 * that is through with one takes the next that nobody has taken.
 *
 * The first fifth of the time is for warming up and is not in the figures. At the end all calls
 * in flight are waited for. Prints one JSON line; exits 1 if any call failed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_METHODS = 16, MAX_EXTRA_HEADERS = 16, FIXED_HEADERS = 7, FRAME_PREFIX = 5 };
enum { SEND_BUFFER = 1 << 18, SEND_ROOM = 20000, RECEIVE_BUFFER = 1 << 18 };
static const double WARM_UP_SHARE = 0.2;
static const double DRAIN_SECONDS = 10;

typedef struct {
  nghttp2_session *session;
  int socket;
} Connection;

typedef struct {
  const uint8_t *first_call;
  uint32_t calls;
} Script;

typedef struct {
  Connection *connection;
  Script *script;
  const uint8_t *next_call; /* within the script */
  uint32_t calls_left;
  const uint8_t *frame; /* of the call in flight */
  size_t frame_size, frame_sent;
  uint64_t started;
  int is_ok;
} Slot;

static struct {
  int port, connections, streams, once;
  double seconds;
  const char *bodies, *methods[MAX_METHODS];
  int method_count;
  nghttp2_nv extra[MAX_EXTRA_HEADERS];
  int extra_count;
} options = {.connections = 1, .streams = 1, .seconds = 5};

static Script *scripts;
static size_t script_count, next_script;
static char authority[32];
static int in_flight, is_stopping, has_run_out;
static uint64_t failed, answered, reply_bytes; /* over the whole run */
static uint32_t *latencies;                    /* microseconds, since the warm-up */
static size_t latency_count, latency_room;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void die(const char *what) {
  fprintf(stderr, "grpcload: %s\n", what);
  exit(2);
}

static uint32_t number_at(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* --- The scripts --- */

static size_t frame_size_of(const uint8_t *call) { return FRAME_PREFIX + number_at(call + 5); }

static const uint8_t *call_after(const uint8_t *call) { return call + 4 + frame_size_of(call); }

static const uint8_t *read_script(const uint8_t *p, const uint8_t *end) {
  if (end - p < 4) die("the bodies are cut short");
  Script script = {p + 4, number_at(p)};
  p += 4;
  for (uint32_t i = 0; i < script.calls; i++) {
    if (end - p < 4 + FRAME_PREFIX || (size_t)(end - p) < 4 + frame_size_of(p))
      die("the bodies are cut short");
    if (number_at(p) >= (uint32_t)options.method_count) die("a body is for a method not named");
    p = call_after(p);
  }
  if (script.calls) {
    scripts = realloc(scripts, (script_count + 1) * sizeof *scripts);
    scripts[script_count++] = script;
  }
  return p;
}

static void read_scripts(void) {
  FILE *file = fopen(options.bodies, "rb");
  if (!file) die("the bodies cannot be opened");
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  uint8_t *data = malloc(size + 1);
  if (fread(data, 1, size, file) != size) die("the bodies cannot be read");
  fclose(file);
  for (const uint8_t *p = data; p < data + size;) p = read_script(p, data + size);
  if (!script_count) die("there is nothing to send");
}

/* Point the slot at the call to send next; 0 if there is none left for it. */
static int next_call(Slot *slot) {
  if (!slot->calls_left) {
    if (options.once) {
      if (next_script == script_count) return 0;
      slot->script = &scripts[next_script++];
    }
    slot->next_call = slot->script->first_call;
    slot->calls_left = slot->script->calls;
  }
  slot->frame = slot->next_call + 4;
  slot->frame_size = frame_size_of(slot->next_call);
  return 1;
}

/* --- Calls --- */

static ssize_t send_body(nghttp2_session *session, int32_t id, uint8_t *to, size_t room,
                         uint32_t *flags, nghttp2_data_source *source, void *user) {
  (void)session, (void)id, (void)user;
  Slot *slot = source->ptr;
  size_t size = slot->frame_size - slot->frame_sent;
  if (size > room) size = room;
  memcpy(to, slot->frame + slot->frame_sent, size);
  slot->frame_sent += size;
  if (slot->frame_sent == slot->frame_size) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return (ssize_t)size;
}

static nghttp2_nv header(const char *name, const char *value) {
  return (nghttp2_nv){(uint8_t *)name, (uint8_t *)value, strlen(name), strlen(value), 0};
}

static void start_call(Slot *slot) {
  if (!next_call(slot)) {
    has_run_out = 1;
    return;
  }
  nghttp2_nv headers[FIXED_HEADERS + MAX_EXTRA_HEADERS] = {
      header(":method", "POST"),
      header(":scheme", "http"),
      header(":path", options.methods[number_at(slot->next_call)]),
      header(":authority", authority),
      header("te", "trailers"),
      header("content-type", "application/grpc"),
      header("user-agent", "grpcload"),
  };
  memcpy(headers + FIXED_HEADERS, options.extra, options.extra_count * sizeof *headers);
  nghttp2_data_provider body = {.source.ptr = slot, .read_callback = send_body};
  slot->frame_sent = 0;
  slot->is_ok = 0;
  slot->next_call = call_after(slot->next_call);
  slot->calls_left--;
  slot->started = now();
  int32_t id = nghttp2_submit_request(slot->connection->session, NULL, headers,
                                      FIXED_HEADERS + options.extra_count, &body, slot);
  if (id < 0) die(nghttp2_strerror(id));
  in_flight++;
}

static void note_latency(uint64_t started) {
  if (latency_count == latency_room) {
    latency_room = latency_room ? 2 * latency_room : 1 << 16;
    latencies = realloc(latencies, latency_room * sizeof *latencies);
  }
  latencies[latency_count++] = (uint32_t)((now() - started) / 1000);
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data,
                   size_t size, void *user) {
  (void)session, (void)flags, (void)id, (void)data, (void)user;
  reply_bytes += size;
  return 0;
}

static int is_named(const uint8_t *name, size_t size, const char *wanted) {
  return size == strlen(wanted) && !memcmp(name, wanted, size);
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_size, const uint8_t *value, size_t value_size, uint8_t flags,
                     void *user) {
  (void)flags, (void)user;
  Slot *slot = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  if (slot && is_named(name, name_size, "grpc-status"))
    slot->is_ok = value_size == 1 && value[0] == '0';
  else if (is_named(name, name_size, "grpc-message") && value_size && !failed)
    fprintf(stderr, "grpcload: %.*s\n", (int)value_size, value);
  return 0;
}

static int on_close(nghttp2_session *session, int32_t id, uint32_t error, void *user) {
  (void)user;
  Slot *slot = nghttp2_session_get_stream_user_data(session, id);
  if (!slot) return 0;
  in_flight--;
  answered++;
  if (slot->is_ok && !error)
    note_latency(slot->started);
  else
    failed++;
  /* After a refusal the rest of a script makes no sense. */
  if (options.once && !slot->is_ok) slot->calls_left = 0;
  if (!is_stopping) start_call(slot);
  return 0;
}

/* --- Connections --- */

static void flush(Connection *connection) {
  static uint8_t buffer[SEND_BUFFER];
  for (;;) {
    const uint8_t *data;
    size_t size = 0;
    ssize_t part = 0;
    while (size < SEND_BUFFER - SEND_ROOM &&
           (part = nghttp2_session_mem_send(connection->session, &data)) > 0) {
      memcpy(buffer + size, data, (size_t)part);
      size += (size_t)part;
    }
    if (part < 0) die(nghttp2_strerror((int)part));
    if (!size) return;
    for (size_t sent = 0; sent < size;) {
      ssize_t wrote = write(connection->socket, buffer + sent, size - sent);
      if (wrote > 0)
        sent += (size_t)wrote;
      else if (errno == EAGAIN)
        nanosleep(&(struct timespec){0, 50000}, NULL);
      else
        die("the connection is lost");
    }
  }
}

static void receive(Connection *connection) {
  static uint8_t buffer[RECEIVE_BUFFER];
  ssize_t size = read(connection->socket, buffer, sizeof buffer);
  if (size < 0 && errno == EAGAIN) return;
  if (size <= 0) die("the server closed a connection");
  ssize_t taken = nghttp2_session_mem_recv(connection->session, buffer, (size_t)size);
  if (taken < 0) die(nghttp2_strerror((int)taken));
  flush(connection);
}

static void open_socket(Connection *connection) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connection->socket = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(connection->socket, (void *)&address, sizeof address)) die("cannot connect");
  setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  fcntl(connection->socket, F_SETFL, O_NONBLOCK);
}

static void open_session(Connection *connection) {
  nghttp2_session_callbacks *callbacks;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
  nghttp2_session_client_new(&connection->session, callbacks, connection);
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 24},
                                       {NGHTTP2_SETTINGS_ENABLE_PUSH, 0}};
  nghttp2_submit_settings(connection->session, 0, settings, 2);
  nghttp2_session_set_local_window_size(connection->session, 0, 0, 1 << 28);
}

static int open_connections(void) {
  int poller = epoll_create1(0);
  Connection *all = calloc((size_t)options.connections, sizeof *all);
  Slot *slots = calloc((size_t)options.connections * (size_t)options.streams, sizeof *slots);
  for (int i = 0; i < options.connections; i++) {
    open_socket(&all[i]);
    open_session(&all[i]);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    epoll_ctl(poller, EPOLL_CTL_ADD, all[i].socket, &event);
    for (int k = 0; k < options.streams; k++) {
      size_t number = (size_t)i * (size_t)options.streams + (size_t)k;
      slots[number].connection = &all[i];
      slots[number].script = &scripts[number % script_count];
      start_call(&slots[number]);
    }
    flush(&all[i]);
  }
  return poller;
}

/* --- The run --- */

static void poll_once(int poller) {
  struct epoll_event events[64];
  int count = epoll_wait(poller, events, 64, 20);
  for (int i = 0; i < count; i++) receive(events[i].data.ptr);
}

static int by_size(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static uint32_t quantile(double q, size_t count) {
  return count ? latencies[(size_t)((double)(count - 1) * q)] : 0;
}

static void run(int poller) {
  uint64_t begun = now(), end = begun + (uint64_t)(options.seconds * 1e9);
  uint64_t warm = begun + (uint64_t)(options.seconds * 1e9 * WARM_UP_SHARE), measured = begun;
  while (now() < end && in_flight) {
    poll_once(poller);
    if (measured == begun && now() > warm) {
      latency_count = 0;
      measured = now();
    }
  }
  size_t count = latency_count;
  double seconds = (double)(now() - measured) / 1e9;
  is_stopping = 1;
  uint64_t patience = now() + (uint64_t)(DRAIN_SECONDS * 1e9);
  while (in_flight && now() < patience) poll_once(poller);
  if (in_flight) failed += (uint64_t)in_flight;
  qsort(latencies, count, sizeof *latencies, by_size);
  printf("{\"rate\": %.1f, \"calls\": %zu, \"seconds\": %.3f, \"p50_us\": %u, \"p90_us\": %u, "
         "\"p99_us\": %u, \"max_us\": %u, \"all_calls\": %lu, \"reply_bytes\": %.1f, "
         "\"errors\": %lu, \"ran_out\": %s}\n",
         (double)count / seconds, count, seconds, quantile(.5, count), quantile(.9, count),
         quantile(.99, count), quantile(1, count), (unsigned long)answered,
         answered ? (double)reply_bytes / (double)answered : 0, (unsigned long)failed,
         has_run_out ? "true" : "false");
}

static void add_header(char *text) {
  char *colon = strchr(text, ':');
  if (!colon || options.extra_count == MAX_EXTRA_HEADERS) die("a header is name:value");
  *colon = 0;
  options.extra[options.extra_count++] = header(text, colon + 1);
}

static void add_method(const char *path) {
  if (options.method_count == MAX_METHODS) die("too many methods");
  options.methods[options.method_count++] = path;
}

static void read_options(int count, char **values) {
  for (int option; (option = getopt(count, values, "p:b:m:H:c:s:t:o")) != -1;) switch (option) {
      case 'p': options.port = atoi(optarg); break;
      case 'b': options.bodies = optarg; break;
      case 'm': add_method(optarg); break;
      case 'H': add_header(optarg); break;
      case 'c': options.connections = atoi(optarg); break;
      case 's': options.streams = atoi(optarg); break;
      case 't': options.seconds = atof(optarg); break;
      case 'o': options.once = 1; break;
      default: exit(2);
    }
  if (!options.port || !options.bodies || !options.method_count) die("-p, -b and -m are needed");
}

int main(int count, char **values) {
  read_options(count, values);
  read_scripts();
  snprintf(authority, sizeof authority, "127.0.0.1:%d", options.port);
  run(open_connections());
  return failed || !answered;
}
