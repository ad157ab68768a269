import type { OwnTool, RunState } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { createToolPromptTools, type PromptToolsView } from '../intent/index.ts'

/** What each run can use; a call finds its own by the run that it belongs to. */
const views = new WeakMap<RunState, PromptToolsView>()

/** The tools by which a model finds and reads others, made once for all runs of an agent. */
export function createRunPromptTools(): OwnTool[] {
  const shapes = createToolPromptTools(noView)
  return shapes.map((shape, i) => ({
    ...shape,
    async run(args, context) {
      const view = context.run && views.get(context.run)
      if (!view) throw new AppError('invalid_request', `${shape.name} works in an agent's run only`)
      return createToolPromptTools(view)[i]!.run(args, context)
    },
  }))
}

export function setRunView(run: RunState, view: PromptToolsView): void {
  views.set(run, view)
}

const noView: PromptToolsView = { entries: () => [], servers: () => [], describe() {} }
