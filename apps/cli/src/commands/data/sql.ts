import { isClientError } from '@dataagent/client'
import type { QueryResult } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import { renderQuery, toPlain, toPlainLine } from '../../ui/index.ts'
import { formatCount, formatMs } from '../view/format.ts'
import { toRows } from '../view/rows.ts'
import { saveFile, toFolderPath } from '../view/save-file.ts'
import { usageOf } from '../words.ts'
import { parseSql, type SqlRequest } from './parse.ts'
import { findQuery, listQueries, readRows } from './queries.ts'
import { findSource } from './sources.ts'
import { noQueries, noQuestionYet } from './words.ts'

const rowsShown = 200

/** The session's queries; one of them with its SQL and rows; or a query of the person's own. */
export async function runSql(args: string, app: App): Promise<void> {
  const asked = parseSql(args)
  if (asked === undefined) return app.tell('warn', usageOf(usage)[app.lang])
  if (asked.kind === 'list') return list(app)
  if (asked.kind === 'run') return ask(asked, app)
  const query = await findQuery(asked.ref, app)
  if (query === undefined) return
  if (asked.save === undefined) return show(query, app)
  const { format, file } = asked.save
  const { client } = await app.link()
  await saveFile(app, toFolderPath(file, app.folder), async () => {
    const { body } = await client.data.export(query.query_id, { format }, { signal: app.signal })
    return body ?? new Blob([]).stream()
  })
}

const usage = '/sql [q1 [--csv FILE | --xlsx FILE] | [--source NAME] SELECT …]'

async function list(app: App): Promise<void> {
  const queries = await listQueries(app)
  if (queries.length === 0) {
    return app.tell('info', (app.session === undefined ? noQuestionYet : noQueries)[app.lang])
  }
  const rows = queries.map((query) => {
    const { ref, row_count, kept_rows, elapsed_ms, source_name, purpose, sql } = query
    const count = row_count === null ? `>${formatCount(kept_rows)}` : formatCount(row_count)
    return [
      ...[app.theme.accent(ref), count, app.theme.dim(formatMs(elapsed_ms))],
      ...[toPlainLine(source_name, 20), purpose ?? sql],
    ]
  })
  app.say(toRows(rows, { width: app.screen.columns, right: [1, 2] }).join('\n'))
}

async function show(query: QueryResult, app: App): Promise<void> {
  const rows = await readRows(query, rowsShown, app)
  const sql = toPlain(query.sql).trim().split('\n')
  const { purpose } = query
  app.say(
    [
      ...(purpose === undefined ? [] : [app.theme.strong(toPlainLine(purpose))]),
      ...sql.map(app.theme.code),
      ...toLines({ ...query, rows }, app),
    ].join('\n'),
  )
}

async function ask({ sql, source }: SqlRequest & { kind: 'run' }, app: App): Promise<void> {
  const { session, signal, lang } = app
  const found = await findSource(source, app)
  if (found === undefined) return
  const { client } = await app.link()
  const place = session === undefined ? {} : { session_id: session.session_id }
  const body = { source: found.source_id, sql, limit: rowsShown, ...place }
  try {
    app.say(toLines(await client.data.run(body, { signal }), app).join('\n'))
  } catch (error) {
    // Why a statement is refused is for whoever wrote it.
    if (!isClientError(error, 'forbidden')) throw error
    app.tell('bad', toPlainLine(error.message, 300) || usageOf(usage)[lang])
  }
}

function toLines(query: QueryResult, app: App): string[] {
  const how = `/sql ${query.ref} --csv`
  return renderQuery(query, { extent: 'whole', how }, app, app.screen.columns).lines
}
