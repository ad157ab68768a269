import { isPlainObject } from '@dataagent/schema'
import type { PasteSecret } from './contract.ts'
import { type Draft, unusable } from './draft.ts'
import { isPlaceholder } from './find-secrets.ts'
import { nameOfPackage, toName } from './names.ts'

type Fields = Record<string, unknown>

/** Whether an object is a registry's server.json: of any version, in either spelling. */
export function isRegistryServer(value: unknown): value is Fields {
  if (!isPlainObject(value)) return false
  return Array.isArray(value.packages) || Array.isArray(value.remotes)
}

/** One draft for each way that the document offers to run or reach the server. */
export function fromRegistry(document: Fields): Draft[] {
  const base = nameOfPackage(textOf(document.name) ?? textOf(document.title) ?? '')
  const remotes = listOf(document.remotes).map((remote) => fromRemote(remote))
  const packages = listOf(document.packages).map((item) => fromPackage(item))
  const ways = [...remotes, ...packages]
  const description = textOf(document.description)
  return ways.map((way) => toDraft(way, { base, isOnly: ways.length === 1, description }))
}

type Way =
  | { kind: string; config: Fields; secrets: PasteSecret[] }
  | { kind: string; message: string }

function toDraft(
  way: Way,
  { base, isOnly, description }: { base: string; isOnly: boolean; description: string | undefined },
): Draft {
  const name = isOnly ? base : toName(`${base.slice(0, 48)}-${way.kind}`)
  if ('message' in way) return unusable(name, way.message)
  const told = description === undefined ? {} : { description: description.slice(0, 1000) }
  const { secrets } = way
  return { status: 'read', name, config: { name, ...told, ...way.config }, warnings: [], secrets }
}

function fromRemote(remote: Fields): Way {
  const type = textOf(remote.type) ?? textOf(remote.transport_type) ?? ''
  const transport = type === 'sse' ? 'sse' : 'http'
  const { values, secrets } = toValues('headers', listOf(remote.headers))
  const url = fill(textOf(remote.url) ?? '', remote.variables)
  return { kind: transport, config: { transport, url, headers: values }, secrets }
}

/** How each kind of package is started, by the runner that its registry's users have. */
const runners: Record<string, (identifier: string, version: string) => [string, string[]]> = {
  npm: (identifier, version) => ['npx', ['-y', withVersion(identifier, version)]],
  pypi: (identifier, version) => ['uvx', [withVersion(identifier, version)]],
  nuget: (identifier, version) => ['dnx', [withVersion(identifier, version), '--yes', '--']],
}

function fromPackage(item: Fields): Way {
  const kind = textOf(pick(item, 'registryType')) ?? textOf(item.registry_name) ?? 'package'
  const identifier = textOf(item.identifier) ?? textOf(item.name) ?? ''
  const transport = isPlainObject(item.transport) ? textOf(item.transport.type) : 'stdio'
  if (identifier === '') return { kind, message: 'the package has no identifier' }
  if (transport !== undefined && transport !== 'stdio') {
    return { kind, message: 'the package is a server of its own: start it, then add its URL' }
  }
  if (kind === 'oci' || kind === 'docker') return fromImage(item, identifier)
  const runner = Object.hasOwn(runners, kind) ? runners[kind] : undefined
  if (!runner) {
    return { kind, message: `packages of the kind "${toName(kind)}" cannot be started from here` }
  }
  const { values: env, secrets } = toValues('env', listOf(pick(item, 'environmentVariables')))
  const [usual, started] = runner(identifier, textOf(item.version) ?? '')
  const hint = textOf(pick(item, 'runtimeHint'))
  const runtime = toArgs(listOf(pick(item, 'runtimeArguments')))
  // Another runner than the usual one has options of its own.
  const own = hint === undefined || hint === usual ? started : [withVersion(identifier, '')]
  const args = [...runtime.filter((arg) => !own.includes(arg)), ...own]
  const rest = toArgs(listOf(pick(item, 'packageArguments')))
  const config = { transport: 'stdio', command: hint ?? usual, args: [...args, ...rest], env }
  return { kind, config, secrets }
}

function fromImage(item: Fields, identifier: string): Way {
  const { values: env, secrets } = toValues('env', listOf(pick(item, 'environmentVariables')))
  const passed = Object.keys(env).flatMap((name) => ['-e', name])
  const runtime = toArgs(listOf(pick(item, 'runtimeArguments')))
  const version = textOf(item.version)
  const hasTag = /[:@][^/]*$/.test(identifier.slice(-256))
  const image = hasTag || !version ? identifier : `${identifier}:${version}`
  const rest = toArgs(listOf(pick(item, 'packageArguments')))
  const args = ['run', '-i', '--rm', ...passed, ...runtime, image, ...rest]
  return { kind: 'docker', config: { transport: 'stdio', command: 'docker', args, env }, secrets }
}

function withVersion(identifier: string, version: string): string {
  return version === '' || version === 'latest' ? identifier : `${identifier}@${version}`
}

function toArgs(inputs: readonly Fields[]): string[] {
  return inputs.flatMap((input) => {
    const value = toValue(input)
    if (input.type !== 'named') return value === undefined ? [] : [value]
    const name = textOf(input.name) ?? ''
    return value === undefined || name === '' ? [] : [name, value]
  })
}

/** Named values; those that are required or secret and not given are to be filled in. */
function toValues(field: 'env' | 'headers', inputs: readonly Fields[]) {
  const values: Record<string, string> = {}
  const secrets: PasteSecret[] = []
  for (const input of inputs) {
    const name = textOf(input.name) ?? ''
    const value = toValue(input) ?? (isTrue(input, 'isSecret') ? `<${name}>` : undefined)
    if (name === '' || value === undefined) continue
    values[name] = value
    const isNeeded = isPlaceholder(value)
    const path = /^[A-Za-z_$][\w$]*$/.test(name) ? `${field}.${name}` : `${field}["${name}"]`
    if (isNeeded || isTrue(input, 'isSecret')) {
      secrets.push({ path, kind: isNeeded ? 'needed' : 'given' })
    }
  }
  return { values, secrets }
}

function toValue(input: Fields): string | undefined {
  const given = textOf(input.value) ?? textOf(input.default)
  if (given !== undefined) return fill(given, input.variables)
  if (!isTrue(input, 'isRequired')) return undefined
  return `<${textOf(pick(input, 'valueHint')) ?? textOf(input.name) ?? 'value'}>`
}

/** `{place}` by the variable of that name, or as a placeholder. */
function fill(text: string, variables: unknown): string {
  return text.replaceAll(/\{([\w-]{1,100})\}/g, (_whole, name: string) => {
    const known = isPlainObject(variables) && Object.hasOwn(variables, name)
    const variable = known ? variables[name] : undefined
    const value = isPlainObject(variable) ? (variable.value ?? variable.default) : undefined
    return textOf(value) ?? `<${name}>`
  })
}

/** A field by its name, or by the older spelling of it. */
function pick(fields: Fields, name: string): unknown {
  return fields[name] ?? fields[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
}

function isTrue(fields: Fields, name: string): boolean {
  return pick(fields, name) === true
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
