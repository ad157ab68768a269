import { randomUUID } from 'node:crypto'
import type { MatrixCase, MatrixRig } from './test-matrix-cases.ts'

const fresh = () => `d-${randomUUID()}`

/** Nobody listens there. */
const newSource = () => ({
  name: fresh(),
  location: { kind: 'mysql', url: 'mysql://reader:secret@127.0.0.1:9/shop' },
})
const source = (rest = '') => ({
  of: 'acme' as const,
  path: async ({ server }: MatrixRig) => {
    const asked = { as: 'boss', json: newSource() } as const
    const { body } = await server.ask('POST', '/data/sources', asked)
    return `/data/sources/${body.source_id}${rest}`
  },
})
const definition = () => ({ term: 'revenue', meaning: 'what was paid' })
const question = () => ({ source_id: 'workspace', question: 'How many?', sql: 'SELECT 1 AS n' })
const ownQuestion = (rest = '') => ({
  of: 'ada' as const,
  path: async ({ server }: MatrixRig) => {
    const path = `/data/questions/${fresh()}`
    await server.ask('PUT', path, { as: 'ada', json: question() })
    return `${path}${rest}`
  },
})

const queries = new WeakMap<MatrixRig, Promise<string>>()

async function runByAda({ server }: MatrixRig): Promise<string> {
  const json = { source: 'workspace', sql: 'SELECT 1 AS n' }
  const { body } = await server.ask('POST', '/data/queries', { as: 'ada', json })
  return `/data/queries/${body.query_id}`
}

/** Of her own files, which no administrator sees either. */
const query = (rest = '') => ({
  of: 'ada' as const,
  path: async (rig: MatrixRig) => {
    const found = queries.get(rig) ?? runByAda(rig)
    queries.set(rig, found)
    return `${await found}${rest}`
  },
})

/** One request to each route of data. */
export const dataCases: Readonly<Record<string, MatrixCase>> = {
  'GET /data/sources': { of: 'all' },
  'POST /data/sources': { of: 'all', json: newSource },
  'PATCH /data/sources/:source_id': { ...source(), json: () => ({ enabled: false }) },
  'DELETE /data/sources/:source_id': source(),
  'GET /data/sources/:source_id/tables': { ...source('/tables'), may: [503] },
  'POST /data/sources/:source_id/check': { ...source('/check'), varies: true },
  'GET /data/sources/:source_id/notes': source('/notes'),
  'PUT /data/sources/:source_id/notes': { ...source('/notes'), json: () => ({ tables: {} }) },
  'GET /data/definitions': { of: 'all' },
  'PUT /data/definitions/:definition_id': {
    ...{ of: 'all', json: definition, path: async () => `/data/definitions/${fresh()}` },
  },
  'DELETE /data/definitions/:definition_id': {
    of: 'acme',
    async path({ server }) {
      const path = `/data/definitions/${fresh()}`
      await server.ask('PUT', path, { as: 'boss', json: definition() })
      return path
    },
  },
  'GET /data/questions': { of: 'all' },
  'PUT /data/questions/:question_id': {
    ...{ ...ownQuestion(), json: question },
    // In another tenant the same id is another question.
    but: { zoe: 200, max: 200, operator: 200 },
  },
  'DELETE /data/questions/:question_id': ownQuestion(),
  'POST /data/questions/:question_id/run': { ...ownQuestion('/run'), json: () => ({}) },
  'POST /data/queries': {
    ...{ of: 'all', json: () => ({ source: 'workspace', sql: 'SELECT 1 AS n' }) },
  },
  'GET /data/queries': { of: 'all', varies: true },
  'GET /data/queries/:query_id': query(),
  'GET /data/queries/:query_id/rows': query('/rows'),
  'GET /data/queries/:query_id/plan': query('/plan'),
  'GET /data/queries/:query_id/export': query('/export'),
  'GET /data/queries/:query_id/chart.svg': {
    ...{ ...query('/chart.svg'), query: '?spec={"type":"number","y":["n"]}' },
  },
}
