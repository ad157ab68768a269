export {
  type CheckpointSaver,
  type CheckpointSaverOptions,
  createCheckpointSaver,
  type PruneOptions,
} from './checkpoints/index.ts'
export { type LangChainAgentConfig, withLangChain } from './config/index.ts'
export {
  type AgentParams,
  type AnyReactAgent,
  createLangChainExecutor,
  type GraphParts,
  type LangChainExecutorOptions,
  type OwnParts,
} from './executor/index.ts'
export {
  createMessageBook,
  fromLangChainConversation,
  fromLangChainMessage,
  type MessageBook,
  toLangChainConversation,
  toLangChainMessage,
} from './messages/index.ts'
export {
  type FromMiddlewareOptions,
  fromLangChainMiddleware,
  type LangChainMiddleware,
} from './middleware/index.ts'
export {
  fromLangChainModel,
  type LangChainModelOptions,
  type PortCallOptions,
  toLangChainModel,
} from './models/index.ts'
export {
  createReturnDirect,
  type FromToolOptions,
  fromLangChainTool,
  fromLangChainTools,
  type LangChainTool,
  type ToLangChainToolsOptions,
  toLangChainTools,
} from './tools/index.ts'
