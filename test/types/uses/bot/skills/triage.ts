import { defineSkill } from "@cursor/bdk/skills";

export default defineSkill({ description: "Use when something failed.", markdown: "1. Read the log.", files: { "list.md": "- a" } });
