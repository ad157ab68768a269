import { renderReference } from '../../apps/server/src/config/reference.ts'
import { renderEvents } from './events-page.ts'
import { renderRoutes } from './routes-page.ts'

/** The pages that are generated, by their paths. */
export function renderPages(): Record<string, string> {
  return {
    'docs/configuration.md': renderReference(),
    'docs/events.md': renderEvents(),
    'docs/routes.md': renderRoutes(),
  }
}
