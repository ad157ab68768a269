import { isPlainObject } from '@dataagent/schema/base'
import type { Lang } from '../../words/index.ts'
import { referencesOf, type Variables } from '../expand.ts'
import { type Entry, expandedFields, textsOf } from '../expand-entry.ts'
import { words } from '../words.ts'

export interface ShowOptions {
  /** Where it runs where it does not say so itself; undefined: that is left to the platform. */
  folder?: string
  variables: Variables
  lang: Lang
}

interface Secrets {
  isSecretName(name: string): boolean
  /** Whether it is a key or token by its looks. */
  looksSecret(text: string): boolean
}

/**
 * What an entry of a project's file starts or reaches, for a person to agree to. All of it is told,
 * and of secrets that they are there; a character that cannot be seen is written as its number.
 * Nothing is hidden as a secret that could itself name a program.
 */
export async function showEntry(entry: Entry, options: ShowOptions): Promise<string> {
  const { createMasker, createSecretKeyTest } = await import('@dataagent/guard')
  const masker = createMasker()
  const secrets: Secrets = {
    isSecretName: createSecretKeyTest([]),
    looksSecret: (text) => masker.maskText(text) !== text,
  }
  const { lang } = options
  const { command, cwd = options.folder } = entry
  const place = command === undefined || cwd === undefined ? '' : toWord(String(cwd))
  const line = (label: keyof typeof labels, told: string) =>
    told === '' ? [] : [`${labels[label][lang]}: ${told}`]
  return [
    ...line('run', showCommand(entry, secrets)),
    ...line('connects', typeof entry.url === 'string' ? showUrl(entry.url, secrets) : ''),
    ...line('inFolder', place),
    ...line('environment', showRecord(entry.env, '=', isHiddenVariable, secrets)),
    ...line('headers', showRecord(entry.headers, ': ', isHiddenHeader, secrets)),
    ...line('variables', showReferences(entry, options, secrets)),
    ...line('settings', showSettings(entry)),
  ].join('\n')
}

const labels = {
  run: words.run,
  connects: words.connects,
  inFolder: words.inFolder,
  environment: words.environment,
  headers: words.headers,
  variables: words.variables,
  settings: words.settings,
}

const hidden = '***'
/** What such names hold is run, whatever else they speak of: `RESTIC_PASSWORD_COMMAND`. */
const namesProgram = /(?:command|cmd|helper|program|askpass|script|hook|shell|exec)$/i
/** Neither a path nor anything that a shell reads: it can be hidden without hiding what is done. */
const opaque = /^[\w+=~-]{6,}$/

function showCommand({ command, args }: Entry, secrets: Secrets): string {
  if (command === undefined) return ''
  const given = Array.isArray(args) ? args.map(String) : []
  const shown = given.map((arg, at) => maskArg(arg, given[at - 1] ?? '', secrets))
  return [String(command), ...shown].map(toWord).join(' ')
}

/** `--key=value`; or a value behind `--key`, where it is too random to be the name of something. */
function maskArg(arg: string, before: string, { isSecretName, looksSecret }: Secrets): string {
  const [, name = '', value = ''] = /^([\w.-]+=)(.*)$/s.exec(arg) ?? []
  if (namesProgram.test(name === '' ? before : name.slice(0, -1))) return arg
  if (name !== '' && isSecretName(name.slice(0, -1)) && opaque.test(value)) return name + hidden
  if (!opaque.test(arg)) return arg
  const isNamed = /^--?[\w-]+$/.test(before) && isSecretName(before)
  const isRandom = /^\w{16,}$/.test(arg) && /\d/.test(arg) && /[A-Za-z]/.test(arg)
  return looksSecret(arg) || (isNamed && isRandom) ? hidden : arg
}

function showUrl(url: string, { isSecretName }: Secrets): string {
  const shown = url.replaceAll(/([?&])([^=&#]+)=([^&#]*)/g, (all, sign, name, value) =>
    isSecretName(name) && !isReference(value) ? `${sign}${name}=${hidden}` : all,
  )
  return toWord(shown)
}

type IsHidden = (name: string, value: string, secrets: Secrets) => boolean

function showRecord(values: unknown, sign: string, isHidden: IsHidden, secrets: Secrets): string {
  if (!isPlainObject(values)) return ''
  const shown = Object.entries(values).map(([name, value]) => {
    const text = String(value)
    const isShown = isReference(text) || !isHidden(name, text, secrets)
    return `${toWord(name)}${sign}${isShown ? toWord(text) : hidden}`
  })
  return shown.join(', ')
}

/** Programs run what some variables hold: of what one of them could run nothing is hidden. */
const isHiddenVariable: IsHidden = (name, value, { isSecretName, looksSecret }) =>
  opaque.test(value) && !namesProgram.test(name) && (isSecretName(name) || looksSecret(value))

/** Nothing runs what is sent. */
const isHiddenHeader: IsHidden = (name, value, { isSecretName, looksSecret }) =>
  isSecretName(name) || (opaque.test(value) && looksSecret(value))

/** A variable alone, but for the scheme of a header. */
function isReference(value: string): boolean {
  return /^(?:(?:Bearer|Basic|Token)\s+)?\$\{[^{}]*\}$/i.test(value) && !value.includes(':-')
}

/** Which variables it gets to see; of those that name the program also what they hold. */
function showReferences(entry: Entry, options: ShowOptions, secrets: Secrets): string {
  const { variables, lang } = options
  const inCommand = new Set(
    textsOf(entry.command)
      .flatMap(referencesOf)
      .map(({ name }) => name),
  )
  const texts = expandedFields.flatMap((field) => textsOf(entry[field]))
  const names = new Set(texts.flatMap(referencesOf).map(({ name }) => name))
  const shown = [...names].map((name) => {
    const value = variables[name]
    if (value === undefined) return `${name} (${words.unset[lang]})`
    return inCommand.has(name) && !secrets.isSecretName(name) ? `${name}=${toWord(value)}` : name
  })
  return shown.join(', ')
}

/** What may loosen how its tools are treated, and whom its requests pass. */
const tellingSettings = [
  ...['approval', 'toolApproval', 'pinning', 'quarantine', 'trustedOutput', 'credentials'],
  ...['allowedTools', 'blockedTools', 'idempotentTools', 'proxy'],
]

function showSettings(entry: Entry): string {
  const told = tellingSettings.filter((key) => entry[key] !== undefined)
  return told.map((key) => `${key}=${toSeen(withoutPassword(entry[key]))}`).join(', ')
}

function withoutPassword(value: unknown): string {
  return JSON.stringify(value).replace(/:\/\/[^/?#"]*@/, `://${hidden}@`)
}

/** In quotes where it would not be one plain word, with what cannot be seen as numbers. */
function toWord(text: string): string {
  if (/^[\w@%+=:,./~?&#${}*-]+$/.test(text)) return text
  return toSeen(JSON.stringify(text))
}

function toSeen(text: string): string {
  return text.replaceAll(/[\p{C}\p{Z}]/gu, (sign) =>
    sign === ' ' ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  )
}
