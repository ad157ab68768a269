import { AppError } from '@dataagent/schema'
import { nearMiss } from './near-miss.ts'
import { hasPassage, passagesIn } from './passages-in.ts'

export interface Replacement {
  old_string: string
  new_string: string
  replace_all: boolean
}

const toldLines = 8

/**
 * Replaces a passage that is in the text exactly once, or every one where asked. Line ends and the
 * two spellings of composed letters (NFC, NFD) need not be as the file has them; all else must.
 * Throws `invalid_request` that tells what to do otherwise.
 */
export function replaceText(
  text: string,
  { old_string, new_string, replace_all }: Replacement,
): { text: string; count: number } {
  if (old_string === '') {
    throw refused('old_string is empty. Give the passage to replace, or use write_file')
  }
  if (old_string === new_string) {
    throw refused('old_string and new_string are the same, so there is nothing to change')
  }
  const found = spellingsOf(old_string).find((each) => hasPassage(text, each))
  if (found === undefined) throw refused(nearMiss(text, old_string))
  const count = countOf(text, found)
  if (count > 1 && !replace_all) throw refused(tooMany(text, found, count))
  const fresh = withEndsOf(text, new_string)
  if (fresh === found) throw refused('The file has it so already: there is nothing to change')
  return { text: replaceAll(text, found, fresh), count }
}

/** The passage as the file may spell it, as given first. */
function spellingsOf(passage: string): string[] {
  const unix = passage.replaceAll('\r\n', '\n')
  const ends = [passage, unix, unix.replaceAll('\n', '\r\n')]
  return [...new Set(['', 'NFC', 'NFD'].flatMap((form) => ends.map((each) => toForm(each, form))))]
}

function toForm(text: string, form: string): string {
  return form === '' ? text : text.normalize(form)
}

/** New lines end as those of the file do. */
function withEndsOf(text: string, passage: string): string {
  const unix = passage.replaceAll('\r\n', '\n')
  const windows = text.split('\r\n').length - 1
  const all = text.split('\n').length - 1
  if (all === 0) return passage
  return windows * 2 > all ? unix.replaceAll('\n', '\r\n') : unix
}

function countOf(text: string, passage: string): number {
  let count = 0
  for (const _ of passagesIn(text, passage)) count++
  return count
}

function replaceAll(text: string, passage: string, fresh: string): string {
  const parts: string[] = []
  let end = 0
  for (const at of passagesIn(text, passage)) {
    parts.push(text.slice(end, at))
    end = at + passage.length
  }
  parts.push(text.slice(end))
  return parts.join(fresh)
}

function tooMany(text: string, passage: string, count: number): string {
  const lines = passagesIn(text, passage)
    .take(toldLines)
    .map((at) => text.slice(0, at).split('\n').length)
  const more = count > toldLines ? ' …' : ''
  return (
    `old_string is in the file ${count} times (lines ${[...lines].join(', ')}${more}). ` +
    'Give more of the text around the one you mean, or set replace_all'
  )
}

function refused(message: string): AppError {
  return new AppError('invalid_request', `${message}. Nothing was changed`)
}
