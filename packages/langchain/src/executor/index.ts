export type {
  AgentParams,
  AnyReactAgent,
  GraphParts,
  LangChainExecutorOptions,
  OwnParts,
} from './contract.ts'
export { createLangChainExecutor } from './create-langchain-executor.ts'
export { withoutTaken } from './graph-driver.ts'
