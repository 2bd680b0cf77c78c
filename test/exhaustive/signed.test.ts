import { testEveryPosition } from "./every-position.js";

testEveryPosition(true);
