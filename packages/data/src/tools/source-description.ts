import { defineTool, type OwnTool } from '@dataagent/hub'
import { AppError, type DataDefinition, type DataQuestion, type DataTable } from '@dataagent/schema'
import { z } from 'zod'
import type { DataToolMeans } from './contract.ts'
import { readsRows, sourceField } from './reads.ts'

const tablesShown = 60
const questionsShown = 40
const columnsShown = 400
/** Characters of a name, and of what is said of a table or column. */
const nameMax = 1_000
const saidMax = 2_000

export function createDescribeSource({ sources, store }: DataToolMeans): OwnTool {
  return defineTool({
    name: 'describe_source',
    title: 'Describe data',
    description:
      'Tells the tables and columns of a source, what its words mean, and questions whose SQL an ' +
      'administrator has verified: use that SQL where it fits.',
    // Names and comments are whatever their makers have written.
    ...readsRows,
    input: z.object({
      source: z.string().min(1).max(200).describe(sourceField),
      tables: z
        .array(z.string().min(1).max(200))
        .max(50)
        .optional()
        .describe('Only these; left out: all'),
    }),
    async run({ source, tables }, { principal, signal }) {
      const { source: found } = await sources.open(principal, source)
      const described = await sources.describe(principal, source, {
        ...(tables && { tables }),
        signal,
      })
      if (tables) requireAll(tables, described, found.name)
      const { tenant_id, user_id } = principal
      const definitions = (await store.definitions.list(tenant_id)).filter(
        ({ source_id }) => source_id === null || source_id === found.source_id,
      )
      const questions = (await store.questions.list(tenant_id, user_id)).filter(
        ({ source_id, verified }) => verified && source_id === found.source_id,
      )
      const parts = [
        `${found.name} (${found.kind}): ${found.description}`,
        ...described.slice(0, tablesShown).map(toTableText),
        ...(described.length > tablesShown ? [toRest(described)] : []),
        ...(definitions.length > 0 ? [toDefinitions(definitions)] : []),
        ...(questions.length > 0 ? [toQuestions(questions)] : []),
      ]
      return {
        content: [{ type: 'text' as const, text: parts.join('\n\n') }],
        structuredContent: {
          source: found,
          tables: described.slice(0, tablesShown).map(toShownTable),
        },
      }
    },
  })
}

function requireAll(
  asked: readonly string[],
  described: readonly DataTable[],
  source: string,
): void {
  const names = new Set(described.map(({ name }) => name.toLowerCase()))
  const missing = asked.filter((name) => !names.has(name.toLowerCase()))
  if (missing.length === 0) return
  throw new AppError(
    'not_found',
    `There is no table ${missing.join(', ')} in ${source}. Leave tables out to see all.`,
  )
}

function toTableText(table: DataTable): string {
  const { name, description, row_count, columns } = toShownTable(table)
  const rows = row_count === null ? '' : `, ${row_count} rows`
  const said = description === undefined ? '' : `: ${toLine(description)}`
  const lines = columns.map(
    (column) =>
      `  ${toLine(column.name)} ${toLine(column.type)}${column.description ? `: ${toLine(column.description)}` : ''}`,
  )
  const rest = table.columns.length - columns.length
  const more = rest > 0 ? [`  ${rest} more columns are not shown.`] : []
  return [`${toLine(name)}${rows}${said}`, ...lines, ...more].join('\n')
}

function toShownTable({ name, description, columns, ...table }: DataTable): DataTable {
  return {
    ...{ ...table, name: cut(name, nameMax) },
    ...(description !== undefined && { description: cut(description, saidMax) }),
    columns: columns.slice(0, columnsShown).map(({ description: said, ...column }) => ({
      ...{ ...column, name: cut(column.name, nameMax), type: cut(column.type, nameMax) },
      ...(said !== undefined && { description: cut(said, saidMax) }),
    })),
  }
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`
}

/** So that it ends no line, and looks like no other part of the description. */
function toLine(text: string): string {
  return text.replaceAll('\r', '\\r').replaceAll('\n', '\\n')
}

function toRest(tables: readonly DataTable[]): string {
  const names = tables
    .slice(tablesShown, tablesShown + 500)
    .map(({ name }) => toLine(cut(name, nameMax)))
  return `Ask for these by name: ${names.join(', ')}`
}

const wordsBegin = 'What words mean here:'
const questionsBegin = 'Verified questions and their SQL:'

/**
 * What a description says in words: without the names and types of columns, and without SQL. Its
 * numbers tell of the data.
 */
export function toDescribedWords(description: string): string {
  const [words = ''] = description.split(`\n${questionsBegin}\n`)
  const meanings = words.indexOf(`\n${wordsBegin}\n`)
  const tables = meanings === -1 ? words : words.slice(0, meanings)
  const said = tables.split('\n').map((line) => {
    if (!line.startsWith('  ')) return line
    const at = line.indexOf(': ')
    return at === -1 ? '' : line.slice(at + 2)
  })
  return `${said.join('\n')}${words.slice(tables.length)}`
}

function toDefinitions(definitions: readonly DataDefinition[]): string {
  const lines = definitions.map(({ term, meaning }) => `  ${term} = ${meaning}`)
  return [wordsBegin, ...lines].join('\n')
}

function toQuestions(questions: readonly DataQuestion[]): string {
  const lines = questions.slice(0, questionsShown).map(
    // Its lines stay lines: a comment ends with one.
    ({ question, sql }) => `  ${question}\n    ${sql.trim().replaceAll('\n', '\n    ')}`,
  )
  const rest = questions.length - questionsShown
  const more = rest > 0 ? [`  ${rest} more are not shown.`] : []
  return [questionsBegin, ...lines, ...more].join('\n')
}
