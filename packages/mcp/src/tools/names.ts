import { createHash } from 'node:crypto'

export const defaultToolPrefix = 'mcp.{server}.{tool}'

/** The name of a tool in this SDK: `template` with `{server}` and `{tool}` filled in. */
export function toSdkName(template: string, server: string, tool: string): string {
  return template.replaceAll(/\{(server|tool)\}/g, (_, part) => (part === 'tool' ? tool : server))
}

const wireLength = 64
const hashLength = 12
const stemLength = wireLength - '---'.length - hashLength
const onlySafeAndDots = /^[a-zA-Z0-9_.-]+$/

/**
 * The name of a tool where only `^[a-zA-Z0-9_-]{1,64}$` will do: in the requests of model APIs. It
 * depends on the name alone, and no two names share one:
 * - a safe name stays as it is, unless it has two hyphens in a row;
 * - `.` becomes `--`, where that can be told apart from a hyphen of the name's own;
 * - any other name becomes its own end, made safe, then `---` and a hash of the whole.
 */
export function toWireName(name: string): string {
  if (!onlySafeAndDots.test(name) || /[.-]{2}/.test(name)) return toHashedName(name)
  const wireName = name.replaceAll('.', '--')
  return wireName.length <= wireLength ? wireName : toHashedName(name)
}

function toHashedName(name: string): string {
  const stem = name
    .slice(-stemLength)
    .replaceAll('.', '--')
    .replaceAll(/[^a-zA-Z0-9_-]/gu, '_')
  return `${stem.slice(-stemLength)}---${toHash(name)}`
}

/** 60 bits of SHA-256. Over UTF-16, for UTF-8 has one spelling for all lone surrogates. */
function toHash(name: string): string {
  const digest = createHash('sha256').update(name, 'utf16le').digest()
  return digest.readBigUInt64BE().toString(32).padStart(hashLength, '0').slice(-hashLength)
}
