import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../setup/paths.mjs'
import type { Page } from './describe-page.ts'
import { blocksOf } from './page-blocks.ts'

/** A page of `docs`. */
export async function readGuide(file: string): Promise<Page> {
  const text = await readFile(join(repository, 'docs', file), 'utf8')
  return { title: `docs/${file}`, dir: 'docs', text }
}

/**
 * What a page says in two languages is the same: code but for comments, sections, rows, items, and
 * how many lines a diagram has. Of examples with words of their own language the keys are.
 */
export function testLanguages(
  english: Page,
  chinese: Page,
  { hasOwnExamples = false }: { hasOwnExamples?: boolean } = {},
): void {
  const partOf = hasOwnExamples ? withKeysOnly : (code: string) => code
  test(`${chinese.title} has the code, sections and rows of ${english.title}`, () => {
    expect(codeOf(chinese).map(partOf)).toEqual(codeOf(english).map(partOf))
    expect(diagramsOf(chinese)).toEqual(diagramsOf(english))
    for (const pattern of [/^## /gm, /^### /gm, /^- /gm, /^!\[/gm, /^> /gm]) {
      expect([pattern, count(chinese, pattern)]).toEqual([pattern, count(english, pattern)])
    }
    expect(columnsOf(chinese)).toEqual(columnsOf(english))
  })
}

const comment = /(?:^|[ \t]+)(?:\/\/|#) .*$/gm

function codeOf({ text }: Page): string[] {
  return blocksOf(text, '(?!mermaid)\\w+').map((code) => code.replace(comment, ''))
}

/** Data without what stands behind its keys; programs and commands as they are. */
function withKeysOnly(code: string): string {
  return code.replace(/^( *(?:[-{] )*(?:"\w+"|\w+): ).*$/gm, '$1')
}

function diagramsOf({ text }: Page): number[] {
  return blocksOf(text, 'mermaid').map((diagram) => diagram.split('\n').length)
}

/** How many columns each row of each table has. */
function columnsOf({ text }: Page): number[] {
  return [...text.matchAll(/^\|.*\|$/gm)].map(([row]) => row.split(/(?<!\\)\|/).length)
}

function count({ text }: Page, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
