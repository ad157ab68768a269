import type { App } from '../../app/index.ts'
import { renderDoctor, runDoctor } from '../../doctor/index.ts'

/** The same checks as `dataagent doctor`, with the platform that this program has. */
export async function runDoctorCommand(app: App): Promise<void> {
  const { machine, screen, theme, lang, signal } = app
  const report = await runDoctor({
    ...{ ...machine, columns: screen.columns, rows: screen.rows, theme, signal },
    link: () => app.link(),
  })
  app.say(renderDoctor(report, { theme, lang }).join('\n'))
}
