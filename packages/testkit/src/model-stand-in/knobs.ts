/** What a model's name asks for: `standin-ttft300-itl15-len150-tools2-err429-every3`. */
export interface Knobs {
  /** Milliseconds until the first token. */
  ttft: number
  /** Milliseconds between tokens. */
  itl: number
  /** Length of the text in tokens; without it the default reply echoes. */
  len?: number
  /** Rounds of tool calls before the text. */
  tools: number
  /** Calls in each round. */
  par: number
  /** Refuses with this HTTP status. */
  err?: number
  /** Only every n-th request of a key is refused. */
  every: number
  /** Seconds in the retry-after header of a 429, 503 or 529. */
  retry: number
  /** Drops the connection after so many tokens. */
  cut?: number
  /** Sends an error event after so many tokens. */
  break?: number
  /** The context window in tokens. */
  ctx: number
  /** Varies text, choice of tool and arguments. */
  seed: number
  /** Tool arguments are not valid JSON. */
  badjson: boolean
  /**
   * Calls tools by `{"tool_call": {"name", "arguments"}}` in the text, as models without the
   * feature.
   */
  textcalls: boolean
}

const numbers = [
  'ttft',
  'itl',
  'len',
  'tools',
  'par',
  'err',
  'every',
  'retry',
  'cut',
  'break',
  'ctx',
  'seed',
] as const
const flags = ['badjson', 'textcalls'] as const

/**
 * Reads the knobs; undefined when one is unknown. A name that is not the stand-in's has none set.
 */
export function parseKnobs(model: string): Knobs | undefined {
  const knobs: Knobs = {
    ttft: 0,
    itl: 0,
    tools: 0,
    par: 1,
    every: 1,
    retry: 1,
    ctx: Number.POSITIVE_INFINITY,
    seed: 0,
    badjson: false,
    textcalls: false,
  }
  const [name, ...parts] = model.split('-')
  if (name !== 'standin') return knobs
  for (const part of parts) {
    const flag = flags.find((known) => known === part)
    const [, word, value] = part.match(/^([a-z]+)(\d+)$/) ?? []
    const number = numbers.find((known) => known === word)
    if (flag) knobs[flag] = true
    else if (number) knobs[number] = Number(value)
    else return undefined
  }
  return knobs
}
