import { mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'
import { createRandom, type Random } from './random.ts'

export interface PlayOptions {
  /** What is good; each case begins with one of these. */
  samples: readonly (string | Buffer)[]
  count: number
  /** Default: TEST_SEED, or 1. */
  seed?: number
  /** What one case may take. Default 5 s: a busy machine is slow. */
  caseMs?: number
  /** Changes one sample; by default its bytes, or its values where it is JSON. */
  mutate?(sample: Buffer, random: Random, other: Buffer): Buffer
}

export interface Played {
  cases: number
  /** The one that took longest. */
  longestMs: number
}

/**
 * Calls `play` with samples that are each changed one to three times. A case that fails, takes too
 * long or changes a prototype fails the whole, and is told with what repeats it.
 */
export async function playMutated(
  options: PlayOptions,
  play: (input: Buffer, random: Random) => unknown,
): Promise<Played> {
  const { count, seed = seedOf(process.env), caseMs = 5_000 } = options
  const prototypes = prototypeKeys()
  let longestMs = 0
  for (let at = 0; at < count; at += 1) {
    const { input, random } = mutatedCase(options, seed, at)
    const begun = performance.now()
    try {
      await play(input, random)
      const ms = performance.now() - begun
      longestMs = Math.max(longestMs, ms)
      if (ms > caseMs) throw new Error(`it took ${Math.round(ms)} ms`)
      if (prototypeKeys() !== prototypes) throw new Error('a prototype has changed')
    } catch (cause) {
      throw new Error(`case ${at} of seed ${seed} failed: ${toShown(input)}`, { cause })
    }
  }
  return { cases: count, longestMs }
}

/** One case does not depend on those before it. */
function mutatedCase({ samples, mutate = mutateEither }: PlayOptions, seed: number, at: number) {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) + at)
  const pick = () => Buffer.from(random.of(samples) ?? '')
  let input = Buffer.from(samples[at % samples.length] ?? '')
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    input = Buffer.from(mutate(input, random, pick()))
  }
  return { input, random }
}

function mutateEither(bytes: Buffer, random: Random, other: Buffer): Buffer {
  const isText = random.next() < 0.6
  return isText
    ? Buffer.from(mutateJson(bytes.toString(), random))
    : mutateBytes(bytes, random, other)
}

function seedOf({ TEST_SEED }: NodeJS.ProcessEnv): number {
  return Number(TEST_SEED ?? 1)
}

function prototypeKeys(): string {
  const all = [Object.prototype, Array.prototype, Function.prototype, String.prototype]
  return all.map((prototype) => Reflect.ownKeys(prototype).length).join()
}

function toShown(input: Buffer): string {
  const text = input.toString()
  const shown = Buffer.from(text).equals(input)
    ? JSON.stringify(text)
    : `base64 ${input.toString('base64')}`
  return shown.length > 4_000 ? `${shown.slice(0, 4_000)}… (${input.length} bytes)` : shown
}
