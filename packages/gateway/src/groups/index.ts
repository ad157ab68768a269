export type {
  GroupChange,
  GroupNames,
  Groups,
  NewGroup,
  ToolGroup,
} from './contract.ts'
export { createGroupNames } from './group-names.ts'
export { createGroups } from './groups.ts'
