
BBJ f.f²Í4fªÍ0f*Í´f6f®f.f²Í4fªÍ0f*Í´