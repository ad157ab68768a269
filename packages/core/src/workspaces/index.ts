export type {
  MoveStep,
  SweepReport,
  WorkspaceOwner,
  WorkspaceSweep,
  Workspaces,
  WorkspacesOptions,
  WorkspaceUsage,
} from './contract.ts'
export { createWorkspaces } from './workspaces.ts'
