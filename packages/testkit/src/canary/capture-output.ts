/** What this process writes to its standard streams while it is captured. */
export interface CapturedOutput extends Disposable {
  /** All so far, both streams in order. */
  text(): string
}

/**
 * Records stdout and stderr of this process, which still go where they went: `using output =
 * captureOutput()`.
 */
export function captureOutput(): CapturedOutput {
  const chunks: Buffer[] = []
  const streams = [process.stdout, process.stderr]
  const originals = streams.map((stream) => stream.write)
  for (const stream of streams) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      chunks.push(Buffer.from(chunk as string))
      return write(chunk, ...rest)
    }
  }
  return {
    text: () => Buffer.concat(chunks).toString(),
    [Symbol.dispose]() {
      for (const [i, stream] of streams.entries())
        stream.write = originals[i] as typeof stream.write
    },
  }
}
