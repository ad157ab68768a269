import { domainToUnicode } from 'node:url'
import type { Text } from '../words/index.ts'
import type { ApprovalRequest } from './contract.ts'
import { words } from './words.ts'

/** Something in a request that does not look like what it is. */
export interface Warning {
  /** Of the argument, as `edits.0.path`; `tool` and `server` for the names. */
  path: string
  text: Text
}

/** What lies deeper or further is looked at by nobody either. */
const nodesAtMost = 20_000

/** All that a person would not see by looking, in the order of the arguments. */
export function findWarnings({ name, server = '', args }: ApprovalRequest): Warning[] {
  const texts = [{ path: 'tool', text: name }, { path: 'server', text: server }, ...textsOf(args)]
  return texts.flatMap(({ path, text }) => judge(text).map((found) => ({ path, text: found })))
}

interface Found {
  path: string
  text: string
}

/** Every string, also the names of fields, with where it is. */
function textsOf(args: object): Found[] {
  const found: Found[] = []
  const open: { path: string; value: unknown }[] = [{ path: '', value: args }]
  for (let seen = 0; seen < nodesAtMost; seen++) {
    const node = open.shift()
    if (node === undefined) break
    const { path, value } = node
    if (typeof value === 'string') found.push({ path, text: value })
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      const innerPath = path === '' ? key : `${path}.${key}`
      if (!Array.isArray(value)) found.push({ path: innerPath, text: key })
      open.push({ path: innerPath, value: inner })
    }
  }
  return found
}

const plain = /^[\t\n\r -~]*$/
const control = /(?![\n\t\r])\p{Cc}/u
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Joiners of emoji, and of scripts that are written with them; how an emoji is drawn. */
const joiner = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d/gu
const joined = ['Arabic', 'Devanagari', 'Bengali', 'Tamil', 'Sinhala']
const scriptJoiner = new RegExp(
  `(?<=${joined.map((script) => `\\p{sc=${script}}`).join('|')})(?:\u200c|\u200d)`,
  'gu',
)
const selector = /\ufe0e|\ufe0f/g

function judge(text: string): Text[] {
  const hosts = disguisedHosts(text).map((host) => words.host(host))
  if (plain.test(text)) return hosts
  const word = mixedWord(text)
  return [
    ...(control.test(text) ? [words.control] : []),
    ...(bidi.test(text) ? [words.bidi] : []),
    ...(hasUnseen(text) ? [words.hidden] : []),
    ...(word === undefined ? [] : [words.mixed(word)]),
    ...hosts,
  ]
}

function hasUnseen(text: string): boolean {
  const ordinary = [joiner, scriptJoiner, selector, new RegExp(bidi, 'g')]
  return unseen.test(ordinary.reduce((rest, harmless) => rest.replace(harmless, ''), text))
}

/** A word of Latin letters with some of another script that look like them. */
function mixedWord(text: string): string | undefined {
  const mixed = [...text.matchAll(/[\p{L}\p{M}]+/gu)].find(
    ([word]) =>
      /\p{sc=Latin}/u.test(word) && /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armn}]/u.test(word),
  )
  return mixed?.[0].slice(0, 40)
}

const address = /\b(?:https?|wss?|ftp):[/\\]{1,3}([^\s"'<>`/\\?#]+)[^\s"'<>`]*/gi

/** The hosts of addresses that are written so that one would take them for others. */
function disguisedHosts(text: string): string[] {
  return [...text.matchAll(address)].flatMap(([whole, authority = '']) => {
    const url = URL.parse(whole)
    if (url === null) return []
    return isDisguised(url, authority) ? [url.hostname] : []
  })
}

function isDisguised({ hostname, username }: URL, authority: string): boolean {
  if (/[.%]/.test(username)) return true
  const written = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')
  const shown = domainToUnicode(hostname)
  if (/[^\p{ASCII}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(shown)) return true
  return written.toLowerCase() !== hostname && written.toLowerCase() !== shown
}
