import {
  AppError,
  type DataStore,
  type DefinitionRows,
  type QuestionRows,
  type SourceRow,
  type SourceRows,
  type StoredDefinition,
  type StoredQuestion,
} from '@dataagent/schema'
import { createMemoryQueries } from './memory-queries.ts'

interface Tables {
  sources: SourceRow[]
  definitions: StoredDefinition[]
  questions: StoredQuestion[]
}

/** Rows of the data room for as long as this process lasts. Notes of changes are kept nowhere. */
export function createMemoryStore(): DataStore {
  const tables: Tables = { sources: [], definitions: [], questions: [] }
  return {
    sources: createSourceRows(tables),
    definitions: createDefinitionRows(tables),
    questions: createQuestionRows(tables),
    queries: createMemoryQueries(),
  }
}

function createSourceRows(tables: Tables): SourceRows {
  const find = (tenant_id: string, source_id: string) =>
    tables.sources.find((row) => row.tenant_id === tenant_id && row.source_id === source_id)

  function assertFree({ tenant_id, source_id, name }: SourceRow): void {
    const other = tables.sources.find(
      (row) =>
        row.tenant_id === tenant_id &&
        row.source_id !== source_id &&
        toKey(row.name) === toKey(name),
    )
    if (other) throw new AppError('conflict', `there is a source with the name ${other.name}`)
  }

  return {
    list: async (tenant_id) =>
      tables.sources
        .filter((row) => row.tenant_id === tenant_id)
        .sort((a, b) => compare(toKey(a.name), toKey(b.name)))
        .map((row) => ({ ...row })),
    async get(tenant_id, source_id) {
      const row = find(tenant_id, source_id)
      return row && { ...row }
    },
    async create(row, { max }) {
      assertRoom(
        tables.sources.filter(({ tenant_id }) => tenant_id === row.tenant_id),
        max,
      )
      if (find(row.tenant_id, row.source_id)) throw new AppError('conflict', 'the id is taken')
      assertFree(row)
      tables.sources.push({ ...row })
    },
    async update(tenant_id, source_id, fields, { ifUpdatedAt } = {}) {
      const row = find(tenant_id, source_id)
      if (row === undefined) throw new AppError('not_found', `there is no source ${source_id}`)
      if (ifUpdatedAt !== undefined && row.updated_at !== ifUpdatedAt) {
        throw new AppError('conflict', `the source ${source_id} has been changed meanwhile`)
      }
      assertFree({ ...row, ...fields })
      return { ...Object.assign(row, fields) }
    },
    async delete(tenant_id, source_id) {
      const row = find(tenant_id, source_id)
      if (row === undefined) return false
      const isOther = (one: { tenant_id: string; source_id: string | null }) =>
        one.tenant_id !== tenant_id || one.source_id !== source_id
      tables.sources = tables.sources.filter(isOther)
      tables.definitions = tables.definitions.filter(isOther)
      tables.questions = tables.questions.filter(isOther)
      return true
    },
  }
}

function createDefinitionRows(tables: Tables): DefinitionRows {
  return {
    list: async (tenant_id) =>
      tables.definitions
        .filter((row) => row.tenant_id === tenant_id)
        .sort((a, b) => compare(a.term, b.term)),
    async put(row, { max }) {
      const others = tables.definitions.filter(
        (one) => one.tenant_id !== row.tenant_id || one.definition_id !== row.definition_id,
      )
      assertRoom(
        others.filter(({ tenant_id }) => tenant_id === row.tenant_id),
        max,
      )
      tables.definitions = [...others, { ...row }]
    },
    async delete(tenant_id, definition_id) {
      const before = tables.definitions.length
      tables.definitions = tables.definitions.filter(
        (row) => row.tenant_id !== tenant_id || row.definition_id !== definition_id,
      )
      return tables.definitions.length < before
    },
  }
}

function createQuestionRows(tables: Tables): QuestionRows {
  const find = (tenant_id: string, question_id: string) =>
    tables.questions.find((row) => row.tenant_id === tenant_id && row.question_id === question_id)

  return {
    list: async (tenant_id, user_id) =>
      tables.questions
        .filter((row) => row.tenant_id === tenant_id)
        .filter(({ owner_user_id: owner }) => owner === null || owner === user_id)
        .sort((a, b) => b.updated_at - a.updated_at),
    get: async (tenant_id, question_id) => find(tenant_id, question_id),
    async put(row, { max }) {
      const before = find(row.tenant_id, row.question_id)
      const others = tables.questions.filter((one) => one !== before)
      const owned = others.filter(
        (one) => one.tenant_id === row.tenant_id && one.owner_user_id === row.owner_user_id,
      )
      assertRoom(owned, max)
      tables.questions = [...others, { ...row }]
    },
    async delete(tenant_id, question_id) {
      const row = find(tenant_id, question_id)
      tables.questions = tables.questions.filter((one) => one !== row)
      return row !== undefined
    },
  }
}

function assertRoom(rows: readonly unknown[], max: number): void {
  if (rows.length >= max) throw new AppError('quota_exceeded', `there may be ${max} at the most`)
}

/** Names that differ in case or in how an accent is written are the same. */
function toKey(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
