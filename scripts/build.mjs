// placeholder until the first package needs building
