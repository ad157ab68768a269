import type { App } from '../../app/index.ts'
import type { ApprovalMode } from '../../ui/index.ts'
import { usageOf } from '../words.ts'
import { chooseMode, modeIs, modeNames } from './words.ts'

const modes: readonly ApprovalMode[] = ['ask', 'auto']

/** Whether what asks is asked; the app has the acknowledgement that `auto` needs. */
export async function runApprove(wanted: string, app: App): Promise<void> {
  const { lang } = app
  const chosen =
    wanted === ''
      ? await app.choose(
          chooseMode[lang],
          modes.map((mode) => ({ value: mode, label: modeNames[mode][lang] })),
        )
      : modes.find((mode) => mode === wanted)
  if (chosen === undefined) {
    const told = wanted === '' ? modeIs[app.status.approval] : usageOf('/approve [ask|auto]')
    return app.tell(wanted === '' ? 'info' : 'warn', told[lang])
  }
  await app.setApprovalMode(chosen)
  const now = app.status.approval
  app.tell(now === 'auto' ? 'warn' : 'info', modeIs[now][lang])
}
