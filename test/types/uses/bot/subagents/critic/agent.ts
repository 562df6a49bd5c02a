import { defineAgent } from "@cursor/bdk";

const persona = (name: string): { description: string; instructions: string } => ({ description: name, instructions: "Doubt it." });

export default defineAgent(persona("critic"));
