import { Counter, Gauge, type Registry } from 'prom-client'

/**
 * What Prometheus calls every process's: the few that a dashboard needs, under the usual names. The
 * library's own set watches garbage collection and the event loop all the time; these cost nothing
 * until someone looks.
 */
export function addProcessMetrics(registers: Registry[]): void {
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Seconds of CPU that this process has used',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1_000_000)
    },
  })
  const gauges: [name: string, help: string, read: () => number][] = [
    ['process_resident_memory_bytes', 'Memory that this process has', process.memoryUsage.rss],
    ['nodejs_heap_size_used_bytes', 'Heap in use', () => process.memoryUsage().heapUsed],
    ['nodejs_heap_size_total_bytes', 'Heap there is', () => process.memoryUsage().heapTotal],
    [
      'process_start_time_seconds',
      'When this process began, in seconds since 1970',
      () => performance.timeOrigin / 1000,
    ],
  ]
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
}
