export type {
  FolderBounds,
  SweepReport,
  WorkspaceOwner,
  Workspaces,
  WorkspacesOptions,
  WorkspaceUsage,
} from './contract.ts'
export { createWorkspaces } from './workspaces.ts'
