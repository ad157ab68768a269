// A program of a user without LangChain: the agent answers, and nothing has asked for LangChain.
import { registerHooks } from 'node:module'

const asked = new Set<string>()
registerHooks({
  resolve(specifier, context, next) {
    asked.add(specifier)
    return next(specifier, context)
  },
})

const { AgentLoop, createDemoModel } = await import('@dataagent/core')
const { createTool, createToolRegistry } = await import('@dataagent/mcp')

const registry = createToolRegistry()
registry.register(
  createTool({ name: 'today', description: 'The date.', handler: () => '2026-11-18' }),
)
const loop = new AgentLoop({ model: createDemoModel(), registry, systemPrompt: 'You help.' })
const { text } = await loop.run('Use the today tool')
console.log(/2026-11-18/.test(text) ? 'answered' : text)
console.log([...asked].filter((name) => /lang(chain|graph|smith)|deepagents/.test(name)).length)
