import type { OwnTool } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { createToolPromptTools, type PromptToolsView } from '../intent/index.ts'
import type { EngineRunState } from './run-state.ts'

/** The tools by which a model finds and reads others, made once for all runs of an agent. */
export function createRunPromptTools(): OwnTool[] {
  const shapes = createToolPromptTools(noView)
  return shapes.map((shape, i) => ({
    ...shape,
    async run(args, context) {
      const run: EngineRunState | undefined = context.run
      const view = run?.view
      if (!view) throw new AppError('invalid_request', `${shape.name} works in an agent's run only`)
      return createToolPromptTools(view)[i]!.run(args, context)
    },
  }))
}

const noView: PromptToolsView = { entries: () => [], servers: () => [], describe() {} }
