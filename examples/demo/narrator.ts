/** Tells what is done, and how long each step took. */
export interface Narrator {
  /** Begins a part of the story. */
  part(title: string): void
  /** Does a step and tells it; what `work` gives is passed on. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>
  /** How it went, in one line. */
  sum(): string
}

export function createNarrator(output: NodeJS.WriteStream = process.stdout): Narrator {
  const start = performance.now()
  let count = 0

  return {
    part(title) {
      output.write(`\n${title}\n`)
    },
    async step(title, work) {
      const begun = performance.now()
      if (output.isTTY) output.write(`  … ${title}`)
      try {
        const result = await work()
        tell('✓', title, begun)
        count += 1
        return result
      } catch (error) {
        tell('✗', title, begun)
        throw error
      }
    },
    sum: () => `${count} steps in ${((performance.now() - start) / 1_000).toFixed(1)} s`,
  }

  function tell(mark: string, title: string, begun: number): void {
    const time = `${Math.round(performance.now() - begun)} ms`.padStart(9)
    output.write(`${output.isTTY ? '\r\x1b[K' : ''}  ${mark}${time}  ${title}\n`)
  }
}
