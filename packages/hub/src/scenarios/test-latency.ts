/** How long each of `count` calls took, one after another, in milliseconds. */
export async function timeEach(count: number, call: () => Promise<unknown>): Promise<Latency> {
  const times: number[] = []
  for (let n = 0; n < count; n += 1) {
    const begun = performance.now()
    await call()
    times.push(performance.now() - begun)
  }
  return toLatency(times)
}

export interface Latency {
  p50: number
  p99: number
  text: string
}

function toLatency(times: number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  const [p50, p99] = [at(0.5), at(0.99)]
  return { p50, p99, text: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms` }
}
