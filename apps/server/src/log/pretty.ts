import { stripVTControlCharacters } from 'node:util'
import type { LogSink } from './logger.ts'

const colours: Record<string, string> = {
  debug: '\u001b[2m',
  info: '\u001b[36m',
  warning: '\u001b[33m',
  error: '\u001b[31m',
}
const reset = '\u001b[0m'

/** Turns JSON records into lines for a person. */
export function createPrettySink(sink: LogSink, { colour }: { colour: boolean }): LogSink {
  return {
    write(line) {
      sink.write(`${formatRecord(JSON.parse(line) as Record<string, unknown>, colour)}\n`)
    },
  }
}

function formatRecord(record: Record<string, unknown>, colour: boolean): string {
  const { timestamp, level, message, request_id, ...fields } = record
  const time = new Date(String(timestamp)).toLocaleTimeString('en-GB')
  const label = String(level).padEnd(7)
  const shown = colour ? `${colours[String(level)] ?? ''}${label}${reset}` : label
  const rest = Object.entries(request_id === null ? fields : { ...fields, request_id })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${formatValue(value)}`)
  return [time, shown, printable(String(message)), ...rest.map(printable)].join(' ')
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  const stack = (value as { stack?: unknown } | null)?.stack
  return typeof stack === 'string' ? stack.replaceAll('\n', ' | ') : JSON.stringify(value)
}

/** Data cannot move the cursor, recolour or start a line. */
function printable(text: string): string {
  return stripVTControlCharacters(text).replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
