import { parseArgs } from 'node:util'
import type { MallOptions } from './control.ts'

export interface MallFlags extends Omit<MallOptions, 'transport'> {
  transport: 'sse' | 'http' | 'stdio'
}

const options = {
  transport: { type: 'string', default: 'sse' },
  port: { type: 'string' },
  token: { type: 'string' },
  db: { type: 'string' },
  delay: { type: 'string', multiple: true },
  'break-output': { type: 'string', multiple: true },
  tools: { type: 'string' },
} as const

/** The options that a command line gives; throws at what is none. */
export function parseFlags(args: string[]): MallFlags {
  const { values } = parseArgs({ args, options })
  const { transport, port, token, db, tools } = values
  if (transport !== 'sse' && transport !== 'http' && transport !== 'stdio') {
    throw new Error('--transport is sse, http or stdio.')
  }
  return {
    transport,
    port: port === undefined ? undefined : toNumber('--port', port),
    token,
    db,
    delay: Object.fromEntries((values.delay ?? []).map(parseDelay)),
    breakOutput: values['break-output'],
    tools: tools?.split(','),
  }
}

/** The command line that gives these options. */
export function toFlags(given: Partial<MallFlags>): string[] {
  const { transport, port, token, db, delay = {}, breakOutput = [], tools } = given
  const single = { transport, port, token, db, tools: tools?.join(',') }
  const singles = Object.entries(single).filter(([, value]) => value !== undefined)
  return [
    ...singles.flatMap(([name, value]) => [`--${name}`, `${value}`]),
    ...Object.entries(delay).flatMap(([tool, ms]) => ['--delay', `${tool}=${ms}`]),
    ...breakOutput.flatMap((tool) => ['--break-output', tool]),
  ]
}

function parseDelay(text: string): [tool: string, ms: number] {
  const [tool = '', ms = ''] = text.split('=')
  return [tool, toNumber('--delay tool=ms', ms)]
}

function toNumber(flag: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new Error(`${flag} needs a whole number.`)
}
