export { type ComposedMiddleware, composeMiddleware } from './compose.ts'
export type {
  AgentMiddleware,
  AgentState,
  ModelCall,
  ModelReply,
  RequestedCall,
  Runtime,
  StateUpdate,
  SummaryUpdate,
  ToolCallRequest,
  ToolReply,
} from './contract.ts'
