import type { JsonObject, ToolDefinition } from '@dataagent/schema'
import { sha256 } from '../canonical-json.ts'
import { type Finding, scanDefinition, toSkeleton, toVisible } from '../poisoning/index.ts'
import type { SchemaJudgement } from '../validation/index.ts'
import { type CarriedFields, pickCarried } from './carried.ts'
import type { Sighting } from './decide.ts'
import { hashDefinition, nameMax, pickDefinition, readDefinition } from './read-definition.ts'
import type { Group } from './tool-memory.ts'

/** One tool of a server's list, as it was seen. */
export interface Sight {
  /** What it is kept under: its own name, or a stand-in where that cannot be one. */
  name: string
  position: number
  text: string
  hash: string
  picked: Record<string, unknown>
  carried: CarriedFields
  /** Why it cannot be used, where that is plain from the list. */
  why?: string
  prepared?: Prepared
}

export interface Prepared {
  definition: ToolDefinition & CarriedFields
  findings: readonly Finding[]
  verdict: Sighting['verdict']
  /** The definition as JSON, as the server gave it; never more than is read. */
  json: string
}

const notReadable = 'it is not a definition, or it is too large for one'

/** Takes in a list tool by tool: one that cannot be read loses none of the others. */
export function createSightReader(group: Group) {
  const sights = new Map<string, Sight>()
  const bad: { raw: unknown; position: number; name: string; why: string }[] = []

  function read(raw: unknown, position: number) {
    const picked = pickDefinition(raw)
    if (picked === undefined) {
      bad.push({ raw, position, name: `(tool ${position + 1})`, why: notReadable })
      return
    }
    const name = picked.name as string
    const why = findOddName(name)
    if (why) bad.push({ raw, position, name: toStandIn(name), why })
    else if (sights.has(name)) bad.push(toDuplicate(raw, position, name))
    else sights.set(name, toSight(name, position, { picked, carried: pickCarried(raw) }))
  }

  function toSight(
    name: string,
    position: number,
    { picked, carried }: Pick<Sight, 'picked' | 'carried'>,
  ): Sight {
    const text = sha256(JSON.stringify(picked))
    const seen = group.tools.get(name)?.seen
    const hash = seen?.text === text ? seen.hash : hashDefinition(picked)
    return { name, position, text, hash, picked, carried }
  }

  /** What cannot be used takes the names that are left. */
  function finish(): Map<string, Sight> {
    for (const { raw, position, name: wanted, why } of bad) {
      let name = wanted
      while (sights.has(name)) name += '~'
      const picked = pickDefinition(raw) ?? { name }
      sights.set(name, { ...toSight(name, position, { picked, carried: {} }), why })
    }
    return sights
  }

  return { read, finish }
}

function findOddName(name: string): string | undefined {
  if (name.length > nameMax) return `its name has more than ${nameMax} characters`
  if (toVisible(name) !== name) return 'its name has hidden characters'
  if (name.trim() !== name) return 'its name begins or ends with a blank'
  return undefined
}

function toStandIn(name: string): string {
  return `${toVisible(name).trim().slice(0, 150).toWellFormed()}…${sha256(name).slice(0, 12)}`
}

function toDuplicate(raw: unknown, position: number, name: string) {
  const why = `the server has another tool ${name}, which comes first`
  return { raw, position, name: `${name.slice(0, 170).toWellFormed()} (duplicate)`, why }
}

export interface PrepareOptions {
  judgeSchema(schema: JsonObject): SchemaJudgement
  neighbours: Iterable<string>
}

/** Reads, judges and neutralises the definition of a sight. */
export function prepareSight(sight: Sight, options: PrepareOptions): Prepared {
  const read = readDefinition(sight.picked, options.judgeSchema)
  const why = sight.why ?? (read.status === 'unusable' ? read.why : undefined)
  const scanned = scanDefinition(read.definition, { neighbours: options.neighbours })
  const findings = [...scanned.findings]
  if (why) findings.push({ kind: 'unusable', path: '', message: why, severity: 'high' })
  const { name, picked, carried } = sight
  const definition = { ...scanned.definition, name, ...carried }
  const isOversize = findings.some(({ kind, path }) => kind === 'oversize_text' && path === '')
  const json = JSON.stringify(isOversize ? definition : { ...picked, ...carried })
  return { definition, findings, verdict: verdictOf(findings), json }
}

function verdictOf(findings: readonly Finding[]): Sighting['verdict'] {
  if (findings.some(({ kind }) => kind === 'unusable')) return 'unusable'
  return findings.some(({ severity }) => severity === 'high') ? 'suspicious' : 'fine'
}

/** Names of one list by what they look like. */
export function groupBySkeleton(names: Iterable<string>): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const name of names) {
    const skeleton = toSkeleton(name)
    const group = groups.get(skeleton)
    if (group) group.push(name)
    else groups.set(skeleton, [name])
  }
  return groups
}
