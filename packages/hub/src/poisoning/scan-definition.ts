import { type JsonObject, type JsonValue, judgeJson, type ToolDefinition } from '@dataagent/schema'
import type { Finding, ScanOptions, ScanResult } from './contract.ts'
import { hasHidden, takeOutHidden, toVisible } from './hidden-characters.ts'
import { scanText } from './instructions.ts'
import { scanName } from './look-alike.ts'

export const textLimits = {
  description: 4_096,
  other: 1_024,
  /** Of the definition as JSON. */
  definition: 256 * 1_024,
  /** So much is looked at for what speaks to a model, all texts of a definition together. */
  read: 64 * 1_024,
  findings: 50,
} as const

/** Strings that a schema means to the letter: cut, they would mean something else. */
const literal = new Set(['$ref', '$id', '$schema', '$anchor', '$dynamicRef', 'pattern', 'required'])

/**
 * Neutralises a definition and says what a person should look at. Pure, and in linear time. What it
 * gives holds no hidden character, and no more text than `textLimits`.
 */
export function scanDefinition(definition: ToolDefinition, options: ScanOptions = {}): ScanResult {
  const scan = createScan()
  const why = findUnusable(definition)
  if (why !== undefined) return toStub(definition, scan, why)

  for (const finding of scanName(definition.name, options.neighbours ?? [])) scan.add(finding)
  scan.readWords(definition.name, 'name')
  if (hasHidden(definition.name)) scan.addUnusable('name', 'its name has hidden characters')

  const { title, outputSchema, annotations } = definition
  const clean: ToolDefinition = {
    name: toVisible(definition.name),
    description: scan.text(definition.description, 'description', textLimits.description),
    inputSchema: scan.value(definition.inputSchema, 'inputSchema') as JsonObject,
  }
  if (title !== undefined) clean.title = scan.text(title, 'title')
  if (outputSchema) clean.outputSchema = scan.value(outputSchema, 'outputSchema') as JsonObject
  if (annotations) {
    clean.annotations = scan.value(annotations as JsonObject, 'annotations') as JsonObject
  }
  return { definition: clean, findings: scan.findings }
}

function findUnusable(definition: ToolDefinition): Omit<Finding, 'severity'> | undefined {
  const verdict = judgeJson(definition)
  if (verdict.status === 'fault') {
    const { expected, got } = verdict.fault
    return { kind: 'unusable', path: '', message: `expected ${expected}, got ${got}` }
  }
  if (verdict.hasProtoKey) {
    return { kind: 'unusable', path: '', message: 'it has a key "__proto__"' }
  }
  const size = JSON.stringify(definition).length
  if (size <= textLimits.definition) return undefined
  const message = `it has ${size} characters of JSON; at most ${textLimits.definition} are read`
  return { kind: 'oversize_text', path: '', message }
}

/** What is left of a definition that is not read. */
function toStub(
  { name, description }: ToolDefinition,
  scan: ReturnType<typeof createScan>,
  why: Omit<Finding, 'severity'>,
): ScanResult {
  scan.add({ ...why, severity: 'high' })
  if (why.kind !== 'unusable') scan.addUnusable('', why.message)
  const text = scan.text(description, 'description', textLimits.description)
  const stub = { name: toVisible(name), description: text, inputSchema: { type: 'object' } }
  return { definition: stub, findings: scan.findings }
}

function createScan() {
  const findings: Finding[] = []
  let read = 0

  /** What is not read is for a person to read. */
  function readText(text: string, path: string): void {
    if (read > textLimits.read) return
    read += text.length < 16 ? 1 : text.length
    for (const finding of scanText(text)) add({ ...finding, path })
    if (read <= textLimits.read) return
    const message = `it has more text than the ${textLimits.read} characters that are read`
    add({ kind: 'oversize_text', path: 'text', message, severity: 'high' })
  }

  function add(finding: Finding) {
    if (findings.length < textLimits.findings || finding.kind === 'unusable') findings.push(finding)
  }

  function addUnusable(path: string, message: string) {
    if (findings.some(({ kind }) => kind === 'unusable')) return
    add({ kind: 'unusable', path, message, severity: 'high' })
  }

  function text(whole: string, path: string, max: number = textLimits.other): string {
    const clean = takeOutHidden(whole)
    for (const finding of clean.findings) add({ ...finding, path })
    const kept = cut(clean.text, max)
    if (kept.length < clean.text.length) add(oversize(path, clean.text.length, max))
    readText(kept, path)
    return kept
  }

  /** Names are words joined by signs or capitals. */
  function readWords(name: string, path: string) {
    if (name.length < 12) return
    const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_\-.:]+/g, ' ')
    readText(words, path)
    if (words !== name) readText(name, path)
  }

  function value(whole: JsonValue, path: string, max: number = textLimits.other): JsonValue {
    if (typeof whole === 'string') return text(whole, path, max)
    if (typeof whole !== 'object' || whole === null) return whole
    if (Array.isArray(whole)) {
      return whole.map((item, index) => value(item, `${path}[${index}]`, max))
    }
    return object(whole, path)
  }

  function object(whole: JsonObject, path: string): JsonObject {
    const clean: JsonObject = {}
    for (const [key, inner] of Object.entries(whole)) {
      const innerPath = `${path}.${key.length > 100 ? `${key.slice(0, 100)}…` : toVisible(key)}`
      const max = literal.has(key) ? Number.POSITIVE_INFINITY : textLimits.other
      clean[keyOf(key, innerPath)] = value(inner, toVisible(innerPath), max)
    }
    return clean
  }

  /** The server knows its fields by these names: with other ones the tool cannot be called. */
  function keyOf(key: string, path: string): string {
    readWords(key, path)
    if (key.length > textLimits.other) {
      add(oversize(path, key.length, textLimits.other))
      addUnusable(path, 'the name of a field is too long')
    }
    const found = takeOutHidden(key)
    if (!hasHidden(key) && found.findings.length === 0) return cut(key, textLimits.other)
    for (const finding of found.findings) add({ ...finding, path, severity: 'high' })
    addUnusable(path, 'the name of a field has hidden characters')
    return cut(toVisible(key), textLimits.other)
  }

  return { findings, add, addUnusable, text, value, readWords }
}

/** A few characters too many are no more than that; many times as many are there to flood. */
function oversize(path: string, length: number, max: number): Finding {
  const message = `cut from ${length} to ${max} characters`
  return { kind: 'oversize_text', path, message, severity: length > max * 8 ? 'high' : 'low' }
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
