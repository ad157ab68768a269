import { parseSync } from 'oxc-parser'

const limit = 100

/**
 * Fills doc comments and runs of line comments that are over 100 columns to that width. Comments
 * that fit, code after which a comment trails, and lines with a JSDoc type stay as they are.
 */
export function wrapComments(/** @type {string} */ path, /** @type {string} */ text) {
  const blocks = commentBlocks(text, parseSync(path, text).comments)
  const tooWide = blocks.filter(({ start, end }) =>
    text
      .slice(start, end)
      .split('\n')
      .some((line) => line.length > limit),
  )
  return tooWide.reduceRight(
    (result, block) =>
      result.slice(0, block.start) + fillBlock(text, block) + result.slice(block.end),
    text,
  )
}

/**
 * @typedef {import('oxc-parser').Comment} Comment
 * @typedef {{ type: Comment['type'], start: number, end: number }} Block
 */

/** Comments that begin their line, from its first column; adjoining line comments as one. */
function commentBlocks(/** @type {string} */ text, /** @type {Comment[]} */ comments) {
  /** @type {Block[]} */
  const blocks = []
  for (const { type, start: at, end, value } of comments) {
    const start = text.lastIndexOf('\n', at) + 1
    if (text.slice(start, at).trim() !== '' || (type === 'Block' && !value.startsWith('*')))
      continue
    const last = blocks.at(-1)
    const adjoins = last?.type === 'Line' && type === 'Line' && last.end + 1 === start
    if (last && adjoins) last.end = end
    else blocks.push({ type, start, end })
  }
  return blocks
}

function fillBlock(/** @type {string} */ text, /** @type {Block} */ { type, start, end }) {
  const source = text.slice(start, end)
  const indent = /^ */.exec(source)?.[0] ?? ''
  const prefix = type === 'Block' ? `${indent} * ` : `${indent}// `
  const lines = source.split('\n').map((line) => bareLine(line, type))
  const filled = fill(trimBlank(lines), limit - prefix.length)
  const body = filled.map((line) => (prefix + line).trimEnd())
  return type === 'Block' ? [`${indent}/**`, ...body, `${indent} */`].join('\n') : body.join('\n')
}

function bareLine(/** @type {string} */ line, /** @type {Comment['type']} */ type) {
  if (type === 'Line') return line.replace(/^\s*\/\/ ?/, '')
  return line.replace(/\s*\*\/$/, '').replace(/^\s*(?:\/\*\*|\*) ?/, '')
}

function trimBlank(/** @type {string[]} */ lines) {
  const first = lines.findIndex((line) => line !== '')
  const last = lines.findLastIndex((line) => line !== '')
  return lines.slice(first, last + 1)
}

/** Fills each paragraph or list item that holds too wide a line. */
function fill(/** @type {string[]} */ lines, /** @type {number} */ width) {
  return paragraphs(lines).flatMap((paragraph) => {
    const [first = ''] = paragraph
    const fits = paragraph.every((line) => line.length <= width)
    if (fits || /^@.*\{/.test(first)) return paragraph
    const hanging = /^(?:- |@)/.test(first) ? '  ' : ''
    return fillWords(paragraph.join(' ').split(/\s+/), width, hanging)
  })
}

function paragraphs(/** @type {string[]} */ lines) {
  /** @type {string[][]} */
  const found = []
  let fenced = false
  for (const line of lines) {
    const isFence = line.startsWith('```')
    const begins =
      fenced || isFence || found.at(-1)?.[0] === '' || /^(?:$|- |@|\||\d+\. )/.test(line)
    if (begins || found.length === 0) found.push([line])
    else found.at(-1)?.push(line)
    if (isFence) fenced = !fenced
  }
  return found
}

function fillWords(
  /** @type {string[]} */ words,
  /** @type {number} */ width,
  /** @type {string} */ hanging,
) {
  const [first = '', ...rest] = words
  const lines = [first]
  for (const word of rest) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(hanging + word)
  }
  return lines
}
