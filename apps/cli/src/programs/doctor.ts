import { createTheme } from '../ui/index.ts'
import type { Program } from './contract.ts'

/** `dataagent doctor`: 0 where nothing has failed. */
export const doctor: Program = async ({ flags }, context) => {
  const { options, env, home, lang, stdout } = context
  const { renderDoctor, runDoctor, toDoctorJson } = await import('../doctor/index.ts')
  const { dataDirOf, logFileOf, openBarePlatform } = await import('../platform/index.ts')
  const { join } = await import('node:path')
  const isTty = stdout.isTTY
  const theme = createTheme({ name: options.theme, env, isTty })
  const stop = new AbortController()
  const { signal } = stop
  const opening = openBarePlatform({ ...context, signal })
  // Told as one of the checks.
  opening.catch(() => {})
  try {
    const report = await runDoctor({
      ...{ env, isTty, theme, signal, logFile: logFileOf(context) },
      dataDir: dataDirOf(context) ?? join(home, '.dataagent'),
      ...{ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 },
      link: () => opening,
    })
    const lines = flags.has('json')
      ? [JSON.stringify(toDoctorJson(report, lang), undefined, 2)]
      : renderDoctor(report, { theme, lang })
    stdout.write(lines.map((line) => `${line}\n`).join(''))
    return report.status === 'fail' ? 1 : 0
  } finally {
    stop.abort()
    await opening.then((link) => link[Symbol.asyncDispose]()).catch(() => {})
  }
}
