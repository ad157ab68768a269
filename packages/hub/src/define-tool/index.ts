export {
  type OwnApproval,
  type OwnTool,
  type OwnToolContext,
  ownServerId,
  type ToolSpec,
} from './contract.ts'
export { defineTool } from './define-tool.ts'
