import type { ModelCallEnd } from '@dataagent/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { createModelMetrics } from './model-metrics.ts'
import { addProcessMetrics } from './process-metrics.ts'
import type { Readiness } from './readiness.ts'
import { createTurnMetrics, type EndedTurn } from './turn-metrics.ts'

/** Each is asked at every look. */
export interface ServerSources {
  runningTurns(): number
  waitingTurns(): number
  openSockets(): number
  requestsUnderWay(): number
  requestsShed(): number
  loopDelayMs(): number
}

/** What is counted of this process besides its tools, for Prometheus. */
export interface ServerMetrics {
  /** Counts the requests of routes added after it. */
  addTo(app: FastifyInstance): void
  /** Counts a request that was served outside of routes. `route` is one of a few. */
  served(request: { method: string; route: string; status: number; seconds: number }): void
  turnEnded(turn: EndedTurn): void
  modelCalled(call: ModelCallEnd): void
  /** Counts a message on a socket. `type` is one of those that clients may send. */
  socketMessage(type: string): void
  /** A session has come to life here; the function says that it has ended here. */
  sessionOpened(): () => void
  /** Tells of what the server depends on whether it is there. */
  watchDependencies(readiness: Pick<Readiness, 'states'>): void
  /** Names what is asked when someone looks; what is not named is not shown. */
  watch(sources: Partial<ServerSources>): void
  /** Text in the exposition format. */
  text(): Promise<string>
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export function createServerMetrics(): ServerMetrics {
  const registry = new Registry()
  const registers = [registry]
  const sources: Partial<ServerSources> = {}
  const requests = new Counter({
    name: 'dataagent_http_requests_total',
    help: 'Requests answered, by route and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'dataagent_http_request_duration_seconds',
    help: 'How long requests took, by route',
    labelNames: ['method', 'route'],
    buckets,
    registers,
  })
  const messages = new Counter({
    name: 'dataagent_socket_messages_total',
    help: 'Messages of clients on WebSockets, by type',
    labelNames: ['type'],
    registers,
  })
  const sessions = new Gauge({
    name: 'dataagent_sessions_open',
    help: 'Sessions that this process holds in memory',
    registers,
  })
  addGauges(registers, sources)
  addShedCounter(registers, sources)
  addProcessMetrics(registers)

  function count(request: FastifyRequest, reply: FastifyReply): void {
    // Only what our own routes are called: a label holds nothing that a caller made up.
    const labels = request.is404
      ? { method: 'any', route: 'none' }
      : { method: request.method, route: request.routeOptions.url ?? 'none' }
    requests.inc({ ...labels, status: reply.statusCode })
    duration.observe(labels, reply.elapsedTime / 1000)
  }

  return {
    addTo(app) {
      app.addHook('onResponse', async (request, reply) => count(request, reply))
    },
    served({ method, route, status, seconds }) {
      requests.inc({ method, route, status })
      duration.observe({ method, route }, seconds)
    },
    turnEnded: createTurnMetrics(registers),
    modelCalled: createModelMetrics(registers),
    socketMessage: (type) => messages.inc({ type }),
    sessionOpened() {
      sessions.inc()
      return () => sessions.dec()
    },
    watchDependencies: (readiness) => addDependencies(registers, readiness),
    watch: (more) => void Object.assign(sources, more),
    text: () => registry.metrics(),
  }
}

const gauges: [name: string, help: string, source: keyof ServerSources, factor?: number][] = [
  ['dataagent_turns_running', 'Turns that run now', 'runningTurns'],
  ['dataagent_turns_waiting', 'New turns that wait for a place', 'waitingTurns'],
  ['dataagent_sockets_open', 'WebSockets open now', 'openSockets'],
  ['dataagent_http_requests_underway', 'Requests under way', 'requestsUnderWay'],
  [
    'dataagent_event_loop_delay_seconds',
    'How late the event loop is, at least twice within the last seconds',
    'loopDelayMs',
    0.001,
  ],
]

/** Counted elsewhere; here it is only told. */
function addShedCounter(registers: Registry[], sources: Partial<ServerSources>): void {
  new Counter({
    name: 'dataagent_http_requests_shed_total',
    help: 'Requests turned away',
    registers,
    collect() {
      this.reset()
      this.inc(ask(sources.requestsShed) ?? 0)
    },
  })
}

function addDependencies(registers: Registry[], { states }: Pick<Readiness, 'states'>): void {
  new Gauge({
    name: 'dataagent_dependency_up',
    help: 'Whether what the server depends on is there: 1 or 0',
    labelNames: ['dependency'],
    registers,
    collect() {
      for (const { name, status } of states())
        this.set({ dependency: name }, status === 'ready' ? 1 : 0)
    },
  })
}

function addGauges(registers: Registry[], sources: Partial<ServerSources>): void {
  for (const [name, help, source, factor = 1] of gauges) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = ask(sources[source])
        if (value === undefined) this.reset()
        else this.set(value * factor)
      },
    })
  }
}

/** A source that fails must not take the others with it. */
function ask(source: (() => number) | undefined): number | undefined {
  try {
    return source?.()
  } catch {
    return undefined
  }
}
