// @cursor/bdk/skills: bot/skills/<name>.ts; a skill may be Markdown as well.

export interface SkillConfig {
  /** When to use it; all that the model is told at first. */
  description: string;
  markdown: string;
  /** Files beside it, by their paths. */
  files?: Record<string, string | Uint8Array>;
}

export type SkillDefinition = SkillConfig;

export declare function defineSkill(skill: SkillConfig): SkillDefinition;
