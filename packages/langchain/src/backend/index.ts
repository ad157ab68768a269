export { createWorkspaceBackend, type WorkspaceBackendOptions } from './workspace-backend.ts'
