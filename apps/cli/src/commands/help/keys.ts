import type { App } from '../../app/index.ts'
import { renderKeys } from '../../input/index.ts'

export async function runKeys({ bindings, theme, lang, screen, say }: App): Promise<void> {
  say(renderKeys({ bindings, theme, lang, width: screen.columns }).join('\n'))
}
